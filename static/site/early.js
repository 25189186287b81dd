/*! Vantage: search by point of view | https://github.com/vantage-search/vantage | Apache-2.0 */
(()=>{addEventListener("error",({target})=>{if(target.tagName!=="SCRIPT")return;let say=()=>{let fault=document.getElementById("fault");fault.textContent=location.protocol==="file:"?openedFromFile():"A file\
 of this page could not be loaded, and it cannot start without: is there a network? Else upload the whole folder again, then load the page anew.",fault.hidden=!1;for(let id of["loading","working"])document.
getElementById(id)?.setAttribute("hidden","")};document.readyState==="loading"?addEventListener("DOMContentLoaded",say):say()},!0);function openedFromFile(){return`This page was opened from a file, wh\
ere browsers run no modules. Serve its folder, by “vantage serve "${decodeURIComponent(location.pathname.replace(/[^/]*$/,"")).replace(/^\/([A-Z]:)/,"$1")}"” or any other web server, and open the ad\
dress which that prints.`}})();
