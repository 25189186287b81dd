/*! Vantage | Apache-2.0 */
(()=>{function moved(lab2,{search,hash}){return new URLSearchParams(hash.slice(1)).has("q")||new URLSearchParams(search).has("collection")?lab2+search+hash:null}var{lab}=document.currentScript?.dataset??{},target=lab===void 0?null:moved(lab,location);target!==null&&location.replace(target);addEventListener("error",({target:target2})=>{if(!(target2 instanceof HTMLScriptElement))
return;let say=()=>{let fault=document.getElementById("fault");if(fault){fault.textContent=location.protocol==="file:"?openedFromFile():"A file that this page needs could not be loaded. Check the netw\
ork; if it works, upload the whole folder again, then reload the page.",fault.hidden=!1;for(let id of["loading","working"])document.getElementById(id)?.setAttribute("hidden","")}};document.readyState===
"loading"?addEventListener("DOMContentLoaded",say):say()},!0);function openedFromFile(){return`This page was opened from a file, and browsers load no modules from files. Serve its folder with “vantage\
 serve "${decodeURIComponent(location.pathname.replace(/[^/]*$/,"")).replace(/^\/([A-Z]:)/,"$1")}"” or any other web server, and open the address that it prints.`}})();
