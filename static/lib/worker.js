/*! Vantage | Apache-2.0 */
import{ClosedError,Collection,OPERATIONS,PROTOCOL,VersionError,operation,toWire}from"./engine-MO655RNP.js";var collection=null,current=0,running=new Map,calls={hello:()=>PROTOCOL,async open([url,options],signal,id){shut(),current=id;let opened=await Collection.open(url,{...options,signal,onProgress:value=>postMessage(
{id,event:"progress",value,coverage:collection?.coverage})});if(current!==id)throw opened.close(),replaced();return collection=opened,opened.ready.then(()=>postMessage({id,event:"settled"}),error=>postMessage(
{id,event:"settled",error:toWire(error)})),opened.onEncoder=()=>postMessage({id,event:"encoder",broke:opened.encoderBroke}),opened.encoderPending&&opened.encoderReady.catch(()=>{}).then(opened.onEncoder),
opened.opened},close(_,__,___,of){of===current&&shut()}};function shut(){collection?.close(),collection=null}var replaced=()=>new ClosedError("its worker has opened another collection");async function operate(name,args,signal,of){
if(!Object.hasOwn(OPERATIONS,name))throw new VersionError(`the worker knows no operation ${name}`);if(of!==current)throw replaced();if(!collection)throw new ClosedError("no collection is open");let result=await collection.
call(name,args,signal);return{result,transfer:operation(name).returns?.(result)??[]}}function listen(){globalThis.addEventListener?.("message",async({data})=>{let{id,call,args,abort,of}=data??{};if(id===
void 0)return;if(abort!==void 0)return void running.get(id)?.abort(new DOMException(abort,"AbortError"));let stop=new AbortController;running.set(id,stop);try{let{result,transfer}=Object.hasOwn(calls,
call)?{result:await calls[call](args,stop.signal,id,of),transfer:[]}:await operate(call,args,stop.signal,of);postMessage({id,result},{transfer})}catch(error){postMessage({id,error:toWire(error)})}finally{
call!=="open"&&running.delete(id)}})}listen();
