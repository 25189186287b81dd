import sys; import os; sys.path.insert(0,os.path.dirname(os.path.abspath(__file__))); import evaluate as EV, numpy as np
DV=EV.load_dev(); wp=EV.loadfast('enc-train/v15/vocab.txt')
L=lambda f:(lambda E:E/np.median(np.linalg.norm(E,axis=1)))(np.load('enc-train/'+f))
a,b,c=L('r2.npy'),L('r6_final.npy'),L('r7.npy'); best=(0,)
for n,E in (('r6',b),('r7',c),('r2+r6',a+b),('r6+r7',b+c),('r2+r6+r7',a+b+c)):
    d=EV.dev(EV.Static(wp,E),DV); print(n,{k:round(v,4) for k,v in d.items()},flush=True)
    if d['mean']>best[0]: best=(d['mean'],n,E)
print('best',best[:2]); np.save('enc-train/final.npy',best[2].astype(np.float32))
o,p=L('r4_2600.npy'),L('r8.npy'); E=o+p
for n,X in (('open r8',p),('open soup',E)): print(n,EV.dev(EV.Static(wp,X),DV)['mean'])
np.save('enc-train/final_open.npy',(o+p).astype(np.float32)/2)
