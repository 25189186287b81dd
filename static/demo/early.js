// Runs before the page's modules without being one, and says what to do if they
// cannot be loaded: from a file browsers load none, and a host may lack one.

addEventListener(
  'error',
  ({ target }) => {
    if (target.tagName !== 'SCRIPT') return;
    const say = () => {
      const fault = document.getElementById('fault');
      fault.textContent =
        location.protocol === 'file:'
          ? openedFromFile()
          : 'A file of this page could not be loaded, and it cannot start without: is there a network? Else upload ' +
            'the whole folder again, then load the page anew.';
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
    `This page was opened from a file, where browsers run no modules. Serve its folder, by “vantage serve ` +
    `"${folder}"” or any other web server, and open the address which that prints.`
  );
}
