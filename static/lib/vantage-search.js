/*! Vantage | Apache-2.0 */
import{LostInstanceError}from"./index.js";var CUT_BEFORE=new RegExp("^(\\p{Cs}|\\S{0,40}\\s+)","u"),CUT_AFTER=new RegExp("(\\p{Cs}|\\s+\\S{0,40})$","u"),FUNCTION_WORDS=new Set("a about after all also an and any are as at be because been but b\
y can could did do does for from had has have he her his how i if in into is it its me more most my no not of on one or our she should so some than that the their them then there these they this to up\
 was we were what when where which who why will with would you your".split(" ")),WORDS=/[\p{sc=Han}\p{sc=Hira}][\p{M}\p{Cf}]*|(?:(?![\p{sc=Han}\p{sc=Hira}])[\p{L}\p{N}\p{M}\p{Cf}])+/gu;function wordsOf(query,fold){
let all=fold(query),telling=all.filter(word=>!FUNCTION_WORDS.has(word)),asked=new Set(telling.length>0?telling:all),known=new Map;return word=>{let has=known.get(word);return has===void 0&&known.set(word,
has=fold(word).some(form=>asked.has(form))),has}}var segmenter;function sentencesOf(text){return segmenter??=Object.hasOwn(Intl,"Segmenter")?new Intl.Segmenter(document.documentElement.lang||void 0,{granularity:"\
sentence"}):null,(segmenter?Array.from(segmenter.segment(text),({segment})=>segment):text.split(/(?<=[.!?…]["”’)]?)\s+|\n+|(?<=[。！？])/u)).map(part=>part.trim()).filter(Boolean)}function excerpt(text,asked){
let sentences=sentencesOf(text.slice(0,2e4)),found=sentences.map(sentence=>new Set((sentence.match(WORDS)??[]).filter(asked).map(w=>w.toLowerCase()))),best=chosen(found);return best.flatMap((at,i)=>[i===
0?"":at===best[i-1]+1?" ":" … ",...marked(clipped(sentences[at],asked),asked)])}function chosen(found){if(found.length<2)return found.map((_,i)=>i);let most=value=>found.reduce((best,words,at)=>value(
words,at)>value(found[best],best)?at:best,0),first=most(words=>words.size),neighbour=first+1<found.length?first+1:first-1,second=most((words,at)=>at===first?-1:[...words].filter(word=>!found[first].has(
word)).length+(words.size>0?.1:0)+(at===neighbour?.01:0));return[first,second].sort((a,b)=>a-b)}function clipped(sentence,asked){if(sentence.length<=260)return sentence;let first=[...sentence.matchAll(
WORDS)].find(([word])=>asked(word))?.index??0,from=first<=70?0:first-70,part=sentence.slice(from,from+260),start=from===0?part:`… ${part.replace(CUT_BEFORE,"")}`;return from+260>=sentence.length?start:
`${start.replace(CUT_AFTER,"")} …`}function marked(text,asked){let parts=[],end=0;for(let{0:word,index}of text.matchAll(WORDS)){if(!asked(word))continue;let mark=document.createElement("mark");mark.
textContent=word,parts.push(text.slice(end,index),mark),end=index+word.length}return[...parts,text.slice(end)]}var MESSAGES={label:"Search",button:"Search",close:"Close",searching:"Searching…",none:query=>`Nothing found for “${query}”`,found:(query,n)=>`${n===1?"One result":`${n} results`} for “${query}\
”`,partly:(rows,total)=>` (${rows} of ${total} passages have arrived so far)`,sides:(pro,against)=>`${pro} for · ${against} against`,stance:({side,probability})=>`${side} (${Math.round(probability*
100)} %)`,words:" (only by their words so far)",better:"Show better results",unavailable:error=>`Search is not available here: ${error.message}`,incomplete:error=>`Not all passages could be loaded: ${error.
message}`,fault:error=>error.message};function numberOf(element,name){let text=element.getAttribute(name)?.trim();return text?Number(text):void 0}function optionsOf(element){let perspectives=(element.getAttribute("perspectives")??"").split(
"|").map(text=>text.trim()).filter(Boolean);return{method:element.getAttribute("method"),perspectives,lambda:numberOf(element,"lambda"),mmr:numberOf(element,"mmr"),k:numberOf(element,"k"),hybrid:hybridOf(
element.getAttribute("hybrid"))}}function hybridOf(text){if(text===null)return;let names=text.split(/\s+/).filter(Boolean);if(names.length===0||text==="true")return!0;if(text==="false")return!1;let weight=Number.
isNaN(Number(names.at(-1)))?void 0:Number(names.pop());return{fusion:names.length>0?names.join(" "):void 0,weight}}var GLANCE=1e3,indexesOf=({hits})=>hits.map(({index})=>index),Answers=class{messages=MESSAGES;open=null;whole=!1;#host;#box;#results;#tell;#fail;#words=void 0;#shown=null;#stop=new AbortController;constructor(host,box,results,tell,fail){
this.#host=host,this.#box=box,this.#results=results,this.#tell=tell,this.#fail=fail}stop(){this.#stop.abort()}clear(){this.stop(),this.open=null,this.whole=!1,this.#words=void 0,this.#show([],"")}async search(){
let query=this.#box.input.value.trim();this.#stop.abort();let{signal}=this.#stop=new AbortController,{status}=this.#box;status.textContent||(status.textContent=this.messages.searching);let{open,whole}=this;
if(!open)return this.#answerByWords(query,signal);try{let[result,asked]=await Promise.all([this.#ask(open,query,signal),this.#wordsOf(query)]),documents=await open.documents(result.hits.map(hit=>hit.index),
{signal});if(signal.aborted)return;let before=this.#shown;this.#show(result.hits.map((hit,i)=>({...hit,metadata:documents[i].metadata})),this.#statusOf(query,result),asked);let indexes=indexesOf(result),
same=before?.query===query&&before.indexes.join()===indexes.join();this.#shown={query,result,indexes,at:same?before.at:performance.now()},this.#tell("vantage-results",result),this.#tellSides(open,query,
result,signal),this.whole&&!whole&&this.#improve()}catch(error){if(signal.aborted)return;this.empty(),this.#fail("fault",error)}}refresh(){let current=this.#shown?.query===this.#box.input.value.trim();
return current&&this.#improve(),current}empty(){this.#show([],"")}async#answerByWords(query,signal){try{let[words,asked]=await Promise.all([this.#openWords(),this.#wordsOf(query)]);if(!words)return;let result=await words.
search({query,k:numberOf(this.#host,"k"),signal});if(signal.aborted)return;let{hits}=result,{searching,found,words:only}=this.messages;this.#show(hits,hits.length>0?found(query,hits.length)+only:searching,
asked),this.#shown={query,result:null,indexes:indexesOf(result),at:performance.now()}}catch{}}#openWords(){let url=this.#host.getAttribute("collection")??"",open=async()=>(await import("./words.js")).
Words.open(new URL(url,this.#host.baseURI));return this.#words??=open().catch(()=>null),this.#words}async#wordsOf(query){if(!this.#host.hasAttribute("highlight"))return null;let module=await import("./words.js").
catch(()=>null);return module&&wordsOf(query,module.Words.terms)}async#ask(open,query,signal){let ask=()=>open.search({...optionsOf(this.#host),query,signal});return ask().catch(error=>{if(error instanceof
LostInstanceError)return ask();throw error})}#statusOf(query,{method,hits,notice,coverage:{rows,total}}){let{none,found,partly,words}=this.messages;return(hits.length>0?found(query,hits.length):none(query))+
(notice&&method==="bm25"?words:rows<total?partly(rows,total):"")}async#improve(){let{open,whole}=this,shown=this.#shown;if(!open||!shown||shown.query!==this.#box.input.value.trim())return;let{notice,coverage}=shown.
result??{};if(coverage&&!notice&&coverage.rows===coverage.total)return;if(performance.now()-shown.at<GLANCE)return this.search();let{signal}=this.#stop,result=await this.#ask(open,shown.query,signal).
catch(()=>null);!result||signal.aborted||this.#shown!==shown||(indexesOf(result).join()===shown.indexes.join()?(this.#shown={...shown,result},this.#box.status.textContent=this.#statusOf(shown.query,result),
shown.result||this.#tell("vantage-results",result),this.#tellSides(open,shown.query,result,signal),this.whole&&!whole&&this.#improve()):this.#box.better.hidden=!1)}async#tellSides(open,query,result,signal){
if(!(!this.#host.hasAttribute("sides")||open.info.angles===0||result.notice))try{let root=(await open.split(query))?.root??query,[sides,stances]=await Promise.all([open.sides(root,{k:1,signal}),open.stances(
root,indexesOf(result),{signal})]);if(signal.aborted)return;this.#box.sides.textContent=this.messages.sides(sides.for.count,sides.against.count),this.#results.tell(stances,this.messages.stance),this.#tell(
"vantage-sides",sides)}catch(error){!signal.aborted&&Object(error).kind!=="query"&&this.#fail("fault",error)}}#show(hits,status,asked=null){this.#shown=null,this.#box.status.textContent=status,this.#box.
better.hidden=!0,this.#box.fault.hidden=!0,this.#box.sides.textContent="",this.#results.show(hits,asked)}};var sheet;function style(){return sheet||(sheet=new CSSStyleSheet,sheet.replaceSync(RULES)),sheet}var RULES=`
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
[part=text] { unicode-bidi: plaintext; text-align: -webkit-match-parent; text-align: match-parent; }
[part=title] { font-weight: 600; color: var(--vantage-accent, LinkText); border-radius: 0.15rem; }
span[part=title] { color: inherit; }
[part=text] { margin: 0.25em 0 0; line-height: 1.5; }
mark { color: var(--vantage-mark-ink, MarkText); background: var(--vantage-mark, Mark); border-radius: 0.15em; }
[part=open] {
  padding: 0.5em 0.9em;
  font: inherit;
  color: var(--vantage-field-ink, FieldText);
  background: var(--vantage-field, Field);
  border: 1px solid var(--vantage-line, GrayText);
  border-radius: var(--vantage-radius, 0.4rem);
  cursor: pointer;
}
[part=hotkey] {
  margin-inline-start: 0.5em; padding: 0.1em 0.4em;
  font: inherit; font-size: 0.8em; border: 1px solid var(--vantage-line, GrayText); border-radius: 0.3em;
}
@media (pointer: coarse) { [part=hotkey] { display: none; } } /* no keyboard */
[part=dialog] {
  --pad: 1rem;
  box-sizing: border-box;
  width: min(44rem, 100% - 2rem);
  max-width: none;
  max-height: 80vh;
  max-height: 80dvh;
  margin: 10vh auto auto;
  padding: 0 var(--pad) var(--pad);
  overflow: auto;
  overscroll-behavior: contain;
  scroll-padding: 6.5rem 0 var(--pad); /* what is focused is not behind the form */
  color: var(--vantage-ink, CanvasText);
  background: var(--vantage-surface, Canvas);
  border: 1px solid var(--vantage-line, GrayText);
  border-radius: var(--vantage-radius, 0.4rem);
}
[part=dialog]::backdrop { background: rgb(0 0 0 / 0.5); }
[part=dialog] [part=form] {
  position: sticky; z-index: 2; top: 0; padding: var(--pad) 0 0.5rem;
  background: var(--vantage-surface, Canvas);
}
[part=dialog] [part=label] { padding-inline-end: 3rem; } /* beside the button that closes */
[part=dialog] [part=input] { font-size: max(1em, 16px); } /* else phones zoom in */
[part=dialog] [part=offer] { top: 6.5rem; }
[part=close] {
  position: sticky; z-index: 3; top: 0.5rem; float: inline-end;
  width: 2.5rem; height: 2.5rem; margin: 0.5rem -0.5rem -3rem 0; padding: 0;
  font: inherit; font-size: 1.4rem; line-height: 1; color: inherit; background: none; border: 0;
  border-radius: var(--vantage-radius, 0.4rem);
  cursor: pointer;
}
[part=close]::before { content: '×'; content: '×' / ''; } /* it is not read out */
@media (max-width: 40rem) {
  [part=dialog] {
    width: 100%; height: 100vh; height: 100dvh; max-height: none; margin: 0;
    border: 0; border-radius: 0;
  }
}
:is([part=input], [part=button], [part=better], [part=title], [part=open], [part=close]):focus-visible {
  outline: 3px solid var(--vantage-focus, Highlight);
  outline-offset: 2px;
}
`;import{InputError}from"./index.js";var SPOKEN={ctrl:"Control",meta:"Meta",alt:"Alt",shift:"Shift"},PRINTED={ctrl:"Ctrl",meta:"⌘",alt:"Alt",shift:"Shift"},isApple=()=>/Mac|iPhone|iPad/.test(navigator.platform),Hotkey=class _Hotkey{static read(text){
let names=text.toLowerCase().split("+").map(name=>name.trim()),key=names.pop()??"",modifiers=names.map(name=>name==="mod"?isApple()?"meta":"ctrl":name);return!/^(.|f\d\d?)$/u.test(key)||!modifiers.every(
name=>Object.hasOwn(SPOKEN,name))?null:new _Hotkey(key,new Set(modifiers))}constructor(key,modifiers){this.key=key,this.modifiers=modifiers}get printed(){return this.#joined(PRINTED," ")}get spoken(){
return this.#joined(SPOKEN,"+")}#joined(names,between){return[...Array.from(this.modifiers,name=>names[name]),this.key.toUpperCase()].join(between)}is(event){if(event.defaultPrevented||event.isComposing)
return!1;let{modifiers,key}=this,down={ctrl:event.ctrlKey,meta:event.metaKey,alt:event.altKey};for(let name of["ctrl","meta","alt"])if(down[name]!==modifiers.has(name))return!1;if((/^[a-z]$|^f\d/.test(
key)||modifiers.has("shift"))&&event.shiftKey!==modifiers.has("shift")||!modifiers.has("ctrl")&&!modifiers.has("meta")&&key.length===1&&isTyping(event))return!1;let typed=event.key.toLowerCase();return typed===
key||!/^[ -~]$/.test(typed)&&event.code===`Key${key.toUpperCase()}`}};function isTyping(event){let[target]=event.composedPath();return target instanceof HTMLElement&&(target.isContentEditable||target.
matches("input, textarea, select"))}function make(name,part,parent,attributes={}){let element=parent.appendChild(document.createElement(name));element.setAttribute("part",part);for(let[key,value]of Object.entries(attributes))element.setAttribute(
key,value);return element}var Dialog=class{#input;#close;#listening=new AbortController;#release=()=>{};constructor(root,input){this.#input=input,this.slot=root.appendChild(document.createElement("slot")),this.slot.name="butto\
n",this.slot.hidden=!0,this.button=make("button","open",this.slot,{type:"button","aria-haspopup":"dialog"}),this.element=make("dialog","dialog",root),this.#close=make("button","close",this.element,{type:"\
button"}),this.slot.addEventListener("click",()=>this.open()),this.#close.addEventListener("click",()=>this.close()),this.element.addEventListener("close",()=>{this.element.open||this.#release()}),this.
element.addEventListener("keydown",event=>{event.key!=="Escape"||event.isComposing||event.defaultPrevented||(event.preventDefault(),this.close())}),this.element.addEventListener("click",({target,clientX:x,
clientY:y})=>{let{left,right,top,bottom}=this.element.getBoundingClientRect(),inside=x>=left&&x<=right&&y>=top&&y<=bottom;target===this.element&&!inside&&this.close()})}label(name,close){let hotkey=this.
button.querySelector("kbd");this.button.replaceChildren(name,...hotkey?[" ",hotkey]:[]),this.element.setAttribute("aria-label",name),this.#close.setAttribute("aria-label",close),this.#close.title=close}listen(text){
if(this.deafen(),text==="none")return;let hotkey=Hotkey.read(text);if(!hotkey)throw new InputError(`hotkey: "${text}" is not a key such as "mod+k", "ctrl+shift+f", "/" or "none"`);make("kbd","hotkey",
this.button,{"aria-hidden":"true"}).textContent=hotkey.printed,this.button.append(" ",this.button.lastChild??""),this.button.setAttribute("aria-keyshortcuts",hotkey.spoken);let{signal}=this.#listening=
new AbortController;document.addEventListener("keydown",event=>{this.slot.hidden||!hotkey.is(event)||(event.preventDefault(),this.open())},{signal})}deafen(){this.#listening.abort(),this.button.querySelector(
"kbd")?.remove(),this.button.removeAttribute("aria-keyshortcuts")}open(){this.slot.hidden||(this.element.open||(this.element.showModal(),this.#hold()),this.#input.focus(),this.#input.select())}close(){
this.element.close(),this.#release()}#hold(){let{style:style2}=document.documentElement,{overflow,paddingInlineEnd}=style2,before=document.documentElement.clientWidth;style2.overflow="hidden";let gained=document.
documentElement.clientWidth-before;gained>0&&(style2.paddingInlineEnd=`${gained}px`),this.#release=()=>{Object.assign(style2,{overflow,paddingInlineEnd}),this.#release=()=>{}}}};var HOTKEY="mod+k",Box=class{#host;#root;#slot;#box;#form;#label;#button;#revealed=!1;constructor(host){this.#host=host;let root=this.#root=host.attachShadow({mode:"open",delegatesFocus:!0});root.adoptedStyleSheets=
[style()],this.#slot=root.appendChild(document.createElement("slot")),this.fault=make("p","fault",root,{role:"alert",hidden:""}),this.#box=make("div","box",root,{hidden:""}),this.#form=make("form","fo\
rm",this.#box,{role:"search"}),this.#label=make("label","label",this.#form,{for:"query"});let typed={id:"query",type:"search",autocomplete:"off",enterkeyhint:"search"};this.input=make("input","input",
this.#form,typed),this.#button=make("button","button",this.#form,{type:"submit"});let offer=make("p","offer",this.#box,{"aria-live":"polite"});this.better=make("button","better",offer,{type:"button",hidden:""}),
this.status=make("p","status",this.#box,{role:"status"}),this.sides=make("p","sides",this.#box,{role:"status"}),this.list=make("ol","results",this.#box),this.dialog=new Dialog(root,this.input)}listen({
search,focus,type,stops}){this.better.addEventListener("click",()=>{this.input.focus({preventScroll:!0}),search()}),this.#form.addEventListener("submit",event=>{event.preventDefault(),search()}),this.
input.addEventListener("focus",focus),this.input.addEventListener("input",type),this.#box.addEventListener("keydown",event=>this.#move(event,[this.input,...stops()]))}label(messages){let name=this.#host.
getAttribute("label")??messages.label;this.#label.textContent=name,this.dialog.label(name,messages.close),this.input.placeholder=this.#host.getAttribute("placeholder")??"",this.#button.textContent=messages.
button,this.better.textContent=messages.better}arrange(){let dialog=this.#host.hasAttribute("dialog"),place=dialog?this.dialog.element:this.#root;this.dialog.deafen(),dialog||this.dialog.close(),this.#box.
parentNode!==place&&place.append(this.#box),this.#box.before(this.fault),this.#reveal(this.#revealed),dialog&&this.dialog.listen(this.#host.getAttribute("hotkey")??HOTKEY)}takeOver(){let typed=this.#field?.
value;!this.input.value&&typed&&(this.input.value=typed);let active=document.activeElement,focused=this.#host.contains(active)&&active!==this.#host&&!active?.closest("[slot]");this.#box.before(this.fault),
this.#reveal(!0),focused&&(this.#host.hasAttribute("dialog")?this.dialog.open():this.input.focus())}giveBack(){let field=this.#field,focused=this.#root.activeElement===this.input;this.#slot.before(this.
fault),this.hide(),field&&this.input.value&&(field.value=this.input.value),focused&&field?.focus()}hide(){this.dialog.close(),this.#reveal(!1)}get#field(){return this.#host.querySelector("input[type=s\
earch], input[type=text], input:not([type])")}#reveal(box){this.#revealed=box,this.#slot.hidden=box,this.#box.hidden=!box,this.dialog.slot.hidden=!box||!this.#host.hasAttribute("dialog")}#move(event,stops){
let page=this.#host.getRootNode(),active=this.#root.activeElement??page.activeElement,at=stops.findIndex(stop=>stop===active),keys={ArrowDown:at+1,ArrowUp:at-1,Escape:0};if(event.isComposing||event.key===
"Escape"&&this.#host.hasAttribute("dialog"))return;let to=keys[event.key];at<0||!stops[to]||to===at||(event.preventDefault(),stops[to].focus())}};function webAddress(value,base=document.baseURI){if(typeof value!="string"||value==="")return null;try{let url=new URL(value,base);return url.protocol==="http:"||url.protocol==="https:"?url:null}catch{
return null}}var MAX_BRIEF=200,MAX_WHOLE=300,RUN=["script","style"],Results=class{#host;#list;#select;#rows=[];constructor(host,list,select){this.#host=host,this.#list=list,this.#select=select}show(hits,asked){for(let{
copy}of this.#rows)copy?.remove();let template=this.#host.querySelector(':scope > template[slot="result"]'),own=template instanceof HTMLTemplateElement?template.content:null;this.#rows=hits.map((hit,i)=>own?
this.#copy(own,hit,i,asked):this.#plain(hit,asked));for(let[i,{item}]of this.#rows.entries())item.part="result",item.dir="auto",item.addEventListener("click",event=>{this.#select(hits[i])||event.preventDefault()});
this.#list.replaceChildren(...this.#rows.map(({item})=>item))}get stops(){return this.#rows.map(({stop})=>stop)}tell(stances,say){for(let[i,{stances:places,copy}]of this.#rows.entries()){let stance=stances[i];
if(!(!stance||stance.side==="neither"))for(let place of places)place.textContent=say(stance),place.hidden=!1,copy?place.dataset.side=stance.side:place.setAttribute("part",`stance ${stance.side}`)}}#plain(hit,asked){
let item=document.createElement("li"),link=this.#linkOf(hit),head=make(link?"a":"span","title",item);link&&head.setAttribute("href",link),head.tabIndex=link?0:-1,head.append(...titleOf(hit,asked));let stances=this.#host.
hasAttribute("sides")?[make("p","stance",item)]:[];return isBrief(hit)||make("p","text",item).append(...textOf(hit,asked)),{item,stop:head,stances}}#copy(template,hit,i,asked){let item=document.createElement(
"li"),slot=item.appendChild(document.createElement("slot")),copy=document.createElement("div");copy.slot=slot.name=`result-${i+1}`,copy.append(document.importNode(template,!0));let stances=[],places=copy.
querySelectorAll("[data-field]");for(let place of places){if(RUN.includes(place.localName))continue;let{field=""}=place.dataset;field==="stance"&&stances.push(place),this.#fill(place,field,hit,asked)}
this.#host.append(copy);let stop=copy.querySelector("a[href]")??copy.querySelector("[data-field=title]")??copy;return stop.matches("a[href]")||(stop.tabIndex=-1),{item,stop,stances,copy}}#fill(place,field,hit,asked){
if(field==="url"&&place instanceof HTMLAnchorElement){let link=this.#linkOf(hit);link?place.setAttribute("href",link):place.removeAttribute("href"),!place.textContent?.trim()&&place.childElementCount===
0&&(place.textContent=link);return}let parts=this.#partsOf(field,hit,asked);place.replaceChildren(...parts),place.hidden=place.textContent===""}#partsOf(field,hit,asked){if(field==="title")return titleOf(
hit,asked);if(field==="text")return isBrief(hit)?[]:textOf(hit,asked);if(field==="score")return[String(Number(hit.score.toPrecision(3)))];if(field==="url")return[this.#linkOf(hit)??""];let[,name]=field.
match(/^metadata\.(.+)$/s)??[];return name!==void 0&&Object.hasOwn(hit.metadata,name)?[said(hit.metadata[name])]:[]}#linkOf({metadata}){let field=this.#host.getAttribute("link")??"url";return Object.hasOwn(
metadata,field)&&webAddress(metadata[field],this.#host.baseURI)?.href||null}},isBrief=({title,text})=>!title.trim()&&text.trim()!==""&&text.length<=MAX_BRIEF;function titleOf(hit,asked){return withMarks(
isBrief(hit)?hit.text:hit.title.trim()?hit.title:hit.id,asked,marked)}function textOf({text},asked){return withMarks(text,asked,text.length>MAX_WHOLE?excerpt:marked)}function withMarks(text,asked,mark){
if(!asked)return[text];let parts=mark(text,asked);for(let part of parts)part instanceof HTMLElement&&(part.part="mark");return parts}function said(value){return Array.isArray(value)?value.map(said).filter(
Boolean).join(", "):["string","number","boolean"].includes(typeof value)?String(value):""}import{InputError as InputError2,Vantage}from"./index.js";var PAUSE=200,IDLE=2e3,Element=globalThis.HTMLElement??class{},VantageSearch=class extends Element{static observedAttributes=["collection","wo\
rkers","loading","dialog","hotkey","method","perspectives","lambda","mmr","k","sides","hybrid","highlight","placeholder","label"];#met=!1;#begun=!1;#opening=null;#timer=void 0;#box;#answers;constructor(){
super();let tell=this.#tell.bind(this);this.#box=new Box(this);let results=new Results(this,this.#box.list,hit=>this.#tell("vantage-select",hit));this.#answers=new Answers(this,this.#box,results,tell,
this.#fail.bind(this)),this.#box.listen({search:()=>this.search(),focus:()=>this.#load(),type:()=>{this.#load(),clearTimeout(this.#timer),this.#timer=setTimeout(()=>this.search(),PAUSE)},stops:()=>results.
stops}),this.#label()}connectedCallback(){this.#met=!0,this.#arrange(),this.#begin()}disconnectedCallback(){this.#box.dialog.deafen(),this.#box.dialog.close(),queueMicrotask(()=>{this.isConnected||this.#end()})}attributeChangedCallback(name,before,after){
before!==after&&(this.#label(),!(!this.isConnected||!this.#met)&&(name==="collection"||name==="workers"?(this.#end(),this.#begin()):name==="loading"?this.#loadInTime():name==="dialog"||name==="hotkey"?
this.#arrange():name!=="placeholder"&&name!=="label"&&this.value&&this.search()))}get vantage(){return this.#opening}get value(){return this.#box.input.value}set value(text){this.#box.input.value=text}get hybrid(){
return this.getAttribute("hybrid")}set hybrid(value){(value??null)===null?this.removeAttribute("hybrid"):this.setAttribute("hybrid",value===!0?"":String(value))}get highlight(){return this.hasAttribute(
"highlight")}set highlight(on){this.toggleAttribute("highlight",on)}showModal(){this.#box.dialog.open()}close(){this.#box.dialog.close()}set messages(texts){this.#answers.messages={...MESSAGES,...texts},
this.#label()}get messages(){return this.#answers.messages}async search(){clearTimeout(this.#timer),this.#answers.stop();let empty=this.value.trim()==="";return empty||this.#load(),empty||!this.#opening?
this.#answers.empty():this.#answers.search()}#label(){this.#box.label(this.messages)}#arrange(){try{this.#box.arrange()}catch(error){this.#report(error)}}#begin(){if(!this.#begun){if(!this.hasAttribute(
"collection"))return void queueMicrotask(()=>this.#miss());this.#begun=!0,this.#box.takeOver(),this.#loadInTime()}}#loadInTime(){if(!this.#begun||this.#opening)return;let loading=this.getAttribute("lo\
ading");if(loading!=="lazy"&&loading!=="idle"?this.#load():this.setAttribute("state","idle"),this.value&&this.search(),loading!=="idle")return;let load=()=>this.getAttribute("loading")==="idle"&&this.#load();
"requestIdleCallback"in globalThis?requestIdleCallback(load,{timeout:IDLE}):setTimeout(load,IDLE)}async#load(){let url=this.getAttribute("collection");if(this.#opening||!this.#begun||url===null)return;
let open=async()=>Vantage.open(new URL(url,this.baseURI),{workers:numberOf(this,"workers")}),opening=this.#opening=open(),answers=this.#answers;this.setAttribute("state","loading");try{let vantage=await opening;
if(this.#opening!==opening)return vantage.close();answers.open=vantage,this.setAttribute("state","ready"),this.#tell("vantage-ready",vantage),!answers.refresh()&&this.value&&this.search(),vantage.ready.
then(()=>{answers.open===vantage&&(answers.whole=!0,answers.refresh())},error=>answers.open===vantage&&this.#fail("incomplete",error))}catch(error){if(this.#opening!==opening)return;answers.stop(),answers.
empty(),this.#box.giveBack(),this.setAttribute("state","error"),this.#fail("unavailable",error)}}#miss(){!this.isConnected||this.hasAttribute("collection")||(this.setAttribute("state","error"),this.#fail(
"unavailable",new InputError2(`the element has no attribute "collection": give it the address of a collection's folder`)))}#end(){clearTimeout(this.#timer),this.#answers.open?.close(),this.#opening=null,
this.#begun=!1,this.#box.hide(),this.removeAttribute("state"),this.#answers.clear()}#fail(message,error){let{fault}=this.#box;fault.textContent=this.messages[message](error),fault.hidden=!1,this.#report(
error)}#report(error){this.#tell("vantage-error",error)&&console.error("<vantage-search>",error)}#tell(type,detail){return this.dispatchEvent(new CustomEvent(type,{detail,bubbles:!0,composed:!0,cancelable:!0}))}};
globalThis.customElements&&!customElements.get("vantage-search")&&customElements.define("vantage-search",VantageSearch);export{VantageSearch};
