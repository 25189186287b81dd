/*! Vantage | Apache-2.0 */
import{ClosedError,Collection,OPERATIONS,PROTOCOL,VersionError,operation,toWire}from"./engine-OI5N3RO4.js";var collection=null,running=new Map,calls={hello:()=>PROTOCOL,async open([url,options],signal,id){calls.close([],signal,id);let opened=collection=await Collection.open(url,{...options,signal,onProgress:value=>postMessage(
{id,event:"progress",value,coverage:collection?.coverage})});return opened.ready.then(()=>postMessage({id,event:"settled"}),error=>postMessage({id,event:"settled",error:toWire(error)})),opened.onEncoder=
()=>postMessage({id,event:"encoder",broke:opened.encoderBroke}),opened.encoderPending&&opened.encoderReady.catch(()=>{}).then(opened.onEncoder),opened.opened},close(){collection?.close(),collection=null}};
async function operate(name,args,signal){if(!Object.hasOwn(OPERATIONS,name))throw new VersionError(`the worker knows no operation ${name}`);if(!collection)throw new ClosedError("no collection is open");
let result=await collection.call(name,args,signal);return{result,transfer:operation(name).returns?.(result)??[]}}function listen(){globalThis.addEventListener?.("message",async({data})=>{let{id,call,args,
abort}=data??{};if(id===void 0)return;if(abort!==void 0)return void running.get(id)?.abort(new DOMException(abort,"AbortError"));let stop=new AbortController;running.set(id,stop);try{let{result,transfer}=Object.
hasOwn(calls,call)?{result:await calls[call](args,stop.signal,id),transfer:[]}:await operate(call,args,stop.signal);postMessage({id,result},{transfer})}catch(error){postMessage({id,error:toWire(error)})}finally{
call!=="open"&&running.delete(id)}})}listen();
