/*! Vantage: search by point of view | https://github.com/vantage-search/vantage | Apache-2.0 */
import{InputError,LostInstanceError,Vantage}from"./index.js";var sheet;function style(){return sheet||(sheet=new CSSStyleSheet,sheet.replaceSync(RULES)),sheet}var RULES=`
:host {
  display: block;
  font-family: var(--vantage-font, inherit);
  color: var(--vantage-ink, inherit);
}
:host([hidden]), [hidden] { display: none !important; }
[part=form] {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: var(--vantage-gap, 0.5rem);
  margin: 0;
}
[part=label] { flex: 0 0 100%; font-weight: 600; }
[part=input] {
  flex: 1 1 12rem;
  min-width: 0;
  padding: 0.6em 0.8em;
  font: inherit;
  color: var(--vantage-field-ink, FieldText);
  background: var(--vantage-field, Field);
  border: 1px solid var(--vantage-line, GrayText);
  border-radius: var(--vantage-radius, 0.4rem);
}
[part=button] {
  padding: 0.6em 1.1em;
  font: inherit;
  color: var(--vantage-accent-ink, Canvas);
  background: var(--vantage-accent, LinkText);
  border: 1px solid transparent;
  border-radius: var(--vantage-radius, 0.4rem);
  cursor: pointer;
}
[part=fault] {
  margin: 0.6em 0; padding: 0.4em 0.8em; border-left: 4px solid var(--vantage-fault, currentColor);
  overflow-wrap: anywhere;
}
[part=offer] {
  position: sticky; z-index: 1; top: 0.5rem; display: flex; justify-content: flex-end;
  height: 0; margin: 0; /* takes no room, so that nothing moves when the button comes */
}
[part=better] {
  height: max-content;
  padding: 0.4em 0.9em;
  font: inherit;
  color: var(--vantage-accent-ink, Canvas);
  background: var(--vantage-accent, LinkText);
  border: 1px solid var(--vantage-accent-ink, Canvas);
  border-radius: 2em;
  cursor: pointer;
}
[part=status] { min-height: 1.4em; margin: 0.6em 0; color: var(--vantage-muted, inherit); overflow-wrap: anywhere; }
[part=sides] { margin: 0 0 0.6em; font-weight: 600; }
:host([sides]) [part=sides] { min-height: 1.4em; } /* so that nothing moves when they come */
[part~=stance] { min-height: 1.3em; margin: 0; font-size: 0.85em; font-weight: 600; }
[part~=for] { color: var(--vantage-for, inherit); }
[part~=against] { color: var(--vantage-against, inherit); }
[part=results] { display: grid; gap: calc(2 * var(--vantage-gap, 0.5rem)); margin: 0; padding: 0; list-style: none; }
[part=result] {
  padding-top: calc(2 * var(--vantage-gap, 0.5rem)); border-top: 1px solid var(--vantage-line, GrayText);
  overflow-wrap: anywhere;
}
[part=title] { font-weight: 600; color: var(--vantage-accent, LinkText); border-radius: 0.15rem; }
span[part=title] { color: inherit; }
[part=text] { margin: 0.25em 0 0; line-height: 1.5; }
:is([part=input], [part=button], [part=better], [part=title]):focus-visible {
  outline: 3px solid var(--vantage-focus, Highlight);
  outline-offset: 2px;
}
`;var PAUSE=200,GLANCE=1e3,MAX_BRIEF=200,MESSAGES={label:"Search",button:"Search",searching:"Searching…",none:query=>`Nothing found for “${query}”`,found:(query,n)=>`${n===1?"One result":`${n} res\
ults`} for “${query}”`,partly:(rows,total)=>` (${rows} of ${total} passages have arrived so far)`,sides:(pro,against)=>`${pro} for · ${against} against`,stance:({side,probability})=>`${side} (${Math.
round(probability*100)} %)`,words:" (only by their words so far)",better:"Show better results",unavailable:error=>`Search is not available here: ${error.message}`,incomplete:error=>`Not all passages c\
ould be loaded: ${error.message}`,fault:error=>error.message};function make(name,part,parent,attributes={}){let element=parent.appendChild(document.createElement(name));element.setAttribute("part",part);
for(let[key,value]of Object.entries(attributes))element.setAttribute(key,value);return element}var Element=globalThis.HTMLElement??class{},VantageSearch=class extends Element{static observedAttributes=[
"collection","workers","method","perspectives","lambda","mmr","k","sides","placeholder","label"];#opening=null;#open=null;#whole=!1;#shown=null;#stop=new AbortController;#timer=void 0;#messages=MESSAGES;#elements;constructor(){
super();let root=this.attachShadow({mode:"open",delegatesFocus:!0});root.adoptedStyleSheets=[style()];let slot=root.appendChild(document.createElement("slot")),fault=make("p","fault",root,{role:"alert",
hidden:""}),box=make("div","box",root,{hidden:""}),form=make("form","form",box,{role:"search"}),label=make("label","label",form,{for:"query"}),input=make("input","input",form,{id:"query",type:"search",
autocomplete:"off",enterkeyhint:"search"}),button=make("button","button",form,{type:"submit"}),offer=make("p","offer",box,{"aria-live":"polite"}),better=make("button","better",offer,{type:"button",hidden:""}),
status=make("p","status",box,{role:"status"}),sides=make("p","sides",box,{role:"status"}),results=make("ol","results",box);this.#elements={slot,fault,box,label,input,button,better,status,sides,results},
better.addEventListener("click",()=>{input.focus({preventScroll:!0}),this.search()}),form.addEventListener("submit",event=>{event.preventDefault(),this.search()}),input.addEventListener("input",()=>{clearTimeout(
this.#timer),this.#timer=setTimeout(()=>this.search(),PAUSE)}),box.addEventListener("keydown",event=>this.#move(event)),this.#label()}connectedCallback(){this.#start()}disconnectedCallback(){queueMicrotask(
()=>{this.isConnected||this.#end()})}attributeChangedCallback(name,before,after){before!==after&&(this.#label(),this.isConnected&&(name==="collection"||name==="workers"?(this.#end(),this.#start()):name!==
"placeholder"&&name!=="label"&&this.value&&this.search()))}get vantage(){return this.#opening}get value(){return this.#elements.input.value}set value(text){this.#elements.input.value=text}set messages(texts){
this.#messages={...MESSAGES,...texts},this.#label()}get messages(){return this.#messages}async search(){clearTimeout(this.#timer),this.#stop.abort();let{signal}=this.#stop=new AbortController,query=this.
value.trim(),open=this.#open;if(!open||query==="")return void this.#show([],"");let{status}=this.#elements;status.textContent||(status.textContent=this.#messages.searching);let whole=this.#whole;try{let result=await this.#ask(
open,query,signal),documents=await open.documents(result.hits.map(hit=>hit.index),{signal});if(signal.aborted)return;this.#show(result.hits.map((hit,i)=>({...hit,metadata:documents[i].metadata})),this.#statusOf(
query,result)),this.#shown={query,result,at:performance.now()},this.#tell("vantage-results",result),this.#tellSides(open,query,result,signal),this.#whole&&!whole&&this.#improve()}catch(error){if(signal.
aborted)return;this.#show([],""),this.#fail("fault",error)}}async#ask(open,query,signal){let ask=()=>open.search({...this.#options(),query,signal});return ask().catch(error=>{if(error instanceof LostInstanceError)
return ask();throw error})}#statusOf(query,{method,hits,notice,coverage:{rows,total}}){let{none,found,partly,words}=this.#messages;return(hits.length>0?found(query,hits.length):none(query))+(notice&&method===
"bm25"?words:rows<total?partly(rows,total):"")}async#improve(){let{value}=this,open=this.#open,shown=this.#shown;if(!open||!shown||shown.query!==value.trim())return;let{notice,coverage}=shown.result;if(!notice&&
coverage.rows===coverage.total)return;if(performance.now()-shown.at<GLANCE)return this.search();let{signal}=this.#stop,result=await this.#ask(open,shown.query,signal).catch(()=>null);if(!result||signal.
aborted||this.#shown!==shown)return;let ids=({hits})=>JSON.stringify(hits.map(({index})=>index));ids(result)===ids(shown.result)?(this.#shown={...shown,result},this.#elements.status.textContent=this.#statusOf(
shown.query,result),this.#tellSides(open,shown.query,result,signal)):this.#elements.better.hidden=!1}async#tellSides(open,query,{hits,notice},signal){if(!(!this.hasAttribute("sides")||open.info.angles===
0||notice))try{let root=(await open.split(query))?.root??query,indexes=hits.map(({index})=>index),[sides,stances]=await Promise.all([open.sides(root,{k:1,signal}),open.stances(root,indexes,{signal})]);
if(signal.aborted)return;this.#elements.sides.textContent=this.#messages.sides(sides.for.count,sides.against.count);let labels=this.#elements.results.querySelectorAll("[part~=stance]");stances.forEach(
(stance,i)=>this.#mark(labels[i],stance)),this.#tell("vantage-sides",sides)}catch(error){!signal.aborted&&Object(error).kind!=="query"&&this.#fail("fault",error)}}#mark(label,stance){!stance||stance.side===
"neither"||(label.setAttribute("part",`stance ${stance.side}`),label.textContent=this.#messages.stance(stance))}#number(name){return this.hasAttribute(name)?Number(this.getAttribute(name)):void 0}#options(){
let perspectives=(this.getAttribute("perspectives")??"").split("|").map(text=>text.trim()).filter(Boolean);return{method:this.getAttribute("method"),perspectives,lambda:this.#number("lambda"),mmr:this.#number(
"mmr"),k:this.#number("k")}}#label(){let{label,input,button,better}=this.#elements;label.textContent=this.getAttribute("label")??this.#messages.label,input.placeholder=this.getAttribute("placeholder")??
"",button.textContent=this.#messages.button,better.textContent=this.#messages.better}async#start(){let url=this.getAttribute("collection");if(this.#opening)return;if(url===null)return void queueMicrotask(
()=>this.#miss());let open=async()=>Vantage.open(new URL(url,this.baseURI),{workers:this.#number("workers")}),opening=this.#opening=open();this.setAttribute("state","loading");try{let vantage=await opening;
if(this.#opening!==opening)return vantage.close();this.#open=vantage,this.#takeOver(),this.setAttribute("state","ready"),this.#tell("vantage-ready",vantage),this.value&&this.search(),vantage.ready.then(
()=>{this.#open===vantage&&(this.#whole=!0,this.#improve())},error=>this.#open===vantage&&this.#fail("incomplete",error))}catch(error){if(this.#opening!==opening)return;this.setAttribute("state","erro\
r"),this.#fail("unavailable",error)}}#miss(){!this.isConnected||this.hasAttribute("collection")||(this.setAttribute("state","error"),this.#fail("unavailable",new InputError(`the element has no attribu\
te "collection": give it the address of a collection's folder`)))}#takeOver(){let{slot,box,input}=this.#elements,old=this.querySelector("input[type=search], input[type=text], input:not([type])");!this.
value&&old?.value&&(this.value=old.value);let focused=this.contains(document.activeElement)&&document.activeElement!==this;slot.hidden=!0,box.hidden=!1,focused&&input.focus()}#end(){this.#stop.abort(),
clearTimeout(this.#timer),this.#open?.close(),this.#open=null,this.#opening=null,this.#whole=!1,this.#elements.slot.hidden=!1,this.#elements.box.hidden=!0,this.removeAttribute("state"),this.#show([],"")}#show(hits,status){
this.#shown=null,this.#elements.status.textContent=status,this.#elements.better.hidden=!0,this.#elements.fault.hidden=!0,this.#elements.sides.textContent="",this.#elements.results.replaceChildren(...hits.
map(hit=>this.#result(hit)))}#fail(message,error){let{fault}=this.#elements;fault.textContent=this.#messages[message](error),fault.hidden=!1,this.#tell("vantage-error",error)&&console.error("<vantage-\
search>",error)}#result(hit){let item=document.createElement("li");item.part="result";let link=this.#linkOf(hit),head=item.appendChild(document.createElement(link?"a":"span"));head.part="title",link&&
head.setAttribute("href",link),head.tabIndex=link?0:-1;let brief=!hit.title&&hit.text!==""&&hit.text.length<=MAX_BRIEF;if(head.textContent=brief?hit.text:hit.title||hit.id,this.hasAttribute("sides")&&
make("p","stance",item),!brief){let text=item.appendChild(document.createElement("p"));text.part="text",text.textContent=hit.text}return item.addEventListener("click",event=>{this.#tell("vantage-selec\
t",hit)||event.preventDefault()}),item}#linkOf({metadata}){let value=metadata[this.getAttribute("link")??"url"];if(typeof value!="string")return null;try{let{protocol,href}=new URL(value,this.baseURI);
return protocol==="http:"||protocol==="https:"?href:null}catch{return null}}#move(event){let{input,results}=this.#elements,links=[...results.querySelectorAll("[part=title]")],stops=[input,...links],at=stops.
findIndex(stop=>stop===this.shadowRoot?.activeElement),to={ArrowDown:at+1,ArrowUp:at-1,Escape:0}[event.key];at<0||!stops[to]||to===at||(event.preventDefault(),stops[to].focus())}#tell(type,detail){return this.
dispatchEvent(new CustomEvent(type,{detail,bubbles:!0,composed:!0,cancelable:!0}))}};globalThis.customElements&&!customElements.get("vantage-search")&&customElements.define("vantage-search",VantageSearch);export{VantageSearch};
