/*! Vantage: search by point of view | https://github.com/vantage-search/vantage | Apache-2.0 */
(()=>{addEventListener("error",({target})=>{if(!(target instanceof HTMLScriptElement))return;let say=()=>{let fault=document.getElementById("fault");if(fault){fault.textContent=location.protocol==="file:"?openedFromFile():
"A file that this page needs could not be loaded. Check the network; if it works, upload the whole folder again, then reload the page.",fault.hidden=!1;for(let id of["loading","working"])document.getElementById(
id)?.setAttribute("hidden","")}};document.readyState==="loading"?addEventListener("DOMContentLoaded",say):say()},!0);function openedFromFile(){return`This page was opened from a file, and browsers loa\
d no modules from files. Serve its folder with “vantage serve "${decodeURIComponent(location.pathname.replace(/[^/]*$/,"")).replace(/^\/([A-Z]:)/,"$1")}"” or any other web server, and open the addre\
ss that it prints.`}})();
