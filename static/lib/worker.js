/*! Vantage: search by point of view | https://github.com/vantage-search/vantage | Apache-2.0 */
import{ClosedError,Collection,PROTOCOL,toWire}from"./engine-4CLKR4TA.js";var collection=null,running=new Map,calls={hello:()=>PROTOCOL,async open([url,options],signal,id){return calls.close(),collection=await Collection.open(url,{...options,signal,onProgress:value=>postMessage(
{id,event:"progress",value,coverage:collection?.coverage})}),collection.ready.then(()=>postMessage({id,event:"settled"}),error=>postMessage({id,event:"settled",error:toWire(error)})),collection.encoderPending&&
collection.encoderReady.catch(()=>{}).then(()=>postMessage({id,event:"encoder"})),collection.opened},split:([text])=>opened().split(text),encode:([texts])=>opened().encode(texts),rank:([ranking])=>opened().
rank(ranking),explain:([ranking,hits])=>opened().explain(ranking,hits),async loadWords([text]){await opened().loadWords(text)},rankWords:([text,k,keep])=>opened().rankWords(text,k,keep),changeWords:([
texts,removed])=>opened().changeWords(texts,removed),fuse:([fusion,weight,vectors,words])=>opened().fuse(fusion,weight,vectors,words),rankAmong:([vectors,ranking])=>opened().rankAmong(vectors,ranking),
rankPart:([ranking,cut])=>opened().rankPart(ranking,cut),cut:([ranking,gates])=>opened().cut(ranking,gates),diversify:([ranking,hits,records])=>opened().diversify(ranking,hits,records),ahead:([ranking,
hits])=>opened().ahead(ranking,hits),add:([first,vectors,columns])=>opened().add(first,vectors,columns),declare:([columns])=>opened().declare(columns),remove:([rows])=>opened().remove(rows),find:([ids],signal)=>opened().
find(ids,signal),documents:([indexes],signal)=>opened().documents(indexes,signal),measure:([task,input],signal)=>opened().measure(task,input,signal),memory:()=>opened().memory(),downloads:()=>opened().
downloads(),close(){collection?.close(),collection=null}},given={encode:texts=>texts.map(({vector})=>vector.buffer),rankPart:({gate,records,documents})=>[gate,records,documents].flatMap(array=>array?[
array.buffer]:[])};function opened(){if(!collection)throw new ClosedError("no collection is open");return collection}globalThis.addEventListener?.("message",async({data})=>{let{id,call,args,abort}=data??
{};if(id===void 0)return;if(abort)return void running.get(id)?.abort(new DOMException(abort,"AbortError"));let stop=new AbortController;running.set(id,stop);try{let result=await calls[call](args,stop.
signal,id);postMessage({id,result},{transfer:given[call]?.(result)??[]})}catch(error){postMessage({id,error:toWire(error)})}finally{call!=="open"&&running.delete(id)}});
