// Runs before the page's modules, as a plain script. It says what to do if they cannot
// be loaded: browsers load no modules from a file, and a host may lack one. On a page
// whose <script> has data-lab, it also leads old links to the lab.

import { moved } from './moved.js';

const { lab } = document.currentScript?.dataset ?? {};
const target = lab === undefined ? null : moved(lab, location);
if (target !== null) location.replace(target);

addEventListener(
  'error',
  ({ target }) => {
    if (!(target instanceof HTMLScriptElement)) return;
    const say = () => {
      const fault = document.getElementById('fault');
      if (!fault) return;
      fault.textContent =
        location.protocol === 'file:'
          ? openedFromFile()
          : 'A file that this page needs could not be loaded. Check the network and reload the page. If that does ' +
            'not help, its owner must upload the whole folder again.';
      fault.hidden = false;
      for (const id of ['loading', 'working']) document.getElementById(id)?.setAttribute('hidden', '');
    };
    if (document.readyState === 'loading') addEventListener('DOMContentLoaded', say);
    else say();
  },
  true,
);

function openedFromFile() {
  const folder = decodeURIComponent(location.pathname.replace(/[^/]*$/, '')).replace(/^\/([A-Z]:)/, '$1');
  return (
    `This page was opened from a file, and browsers load no modules from files. Serve its folder with “vantage serve ` +
    `"${folder}"” or any other web server, and open the address that it prints.`
  );
}
