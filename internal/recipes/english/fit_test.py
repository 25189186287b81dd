import sys; import os; sys.path.insert(0,os.path.dirname(os.path.abspath(__file__))); import evaluate as EV, numpy as np
from evaluate import *
m=loadm(sys.argv[1]); PIR=load_pir(); IR=load_ir(); (pq,pc,pg),sts,held=load_dev()
def fitted(corpus,al,cen,npc):
    w=m.idfw(corpus,al) if al>0 else None
    C=nz(m.enc(corpus,w)); mu=C.mean(0) if cen else np.zeros(C.shape[1]); P=np.zeros((0,C.shape[1]))
    if npc: U,S,Vt=np.linalg.svd(C-mu,full_matrices=False); P=Vt[:npc]
    def enc(x):
        y=nz(m.enc(x,w))-cen*mu
        return y-(y@P.T)@P
    return enc
for al,cen,npc in ((0,0,0),(.5,0,0),(1,0,0),(0,.5,0),(0,1,0),(.5,.5,0),(.5,1,0),(1,1,0),(.5,1,3)):
    r=[]
    e=fitted(pc,al,cen,npc); d=[ndcg(nz(e(pq))@nz(e(pc)).T,pg)]
    for k,v in held.items():
        e=fitted([x[1] for x in v],al,cen,npc); S=nz(e([x[0] for x in v]))@nz(e([x[1] for x in v])).T; dd=np.diag(S); d.append(float(np.mean(1/(1+(S>dd[:,None]).sum(1)))))
    for t,x in PIR.items():
        if t=='perspectrum_full': continue
        e=fitted(x['corpus'],al,cen,npc); s=pir_scores(e,x,t); g=golds(x); r.append('%s %.2f/%.2f'%(t[:6],succ(s[0],g),succ(s[1],g)))
    for t,(q,c,g) in IR.items():
        e=fitted(c,al,cen,npc); r.append('%s %.3f'%(t[:6],ndcg(nz(e(q))@nz(e(c)).T,g)))
    print((al,cen,npc),'dev %.4f'%np.mean(d),'| '.join(r),flush=True)
