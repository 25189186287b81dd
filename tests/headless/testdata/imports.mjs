// Imports modules of the library from the folder in the argument, as a server that
// renders pages may, and prints the errors of calls that cannot work here.

const library = process.argv[2];
const load = (name) => import(`${library}/${name}.js`);
const { VantageSearch } = await load('vantage-search');
const [{ Vantage }, { ServerEncoder }] = await Promise.all(['index', 'server', 'transformers', 'worker'].map(load));
const globals = ['customElements', 'HTMLElement', 'CSSStyleSheet', 'addEventListener'].filter((name) => name in globalThis);

const says = async (body) => {
  try {
    await body();
    return '';
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
delete globalThis.WebSocket; // present from Node.js 22 on
const vantage = await Vantage.create({ encoder: null });
const refusals = {
  server: await says(() => new ServerEncoder('https://encode.example/')),
  save: await says(() => vantage.save()),
  missing: await says(() => Vantage.open('nowhere/')),
  folder: await says(() => Vantage.create({ encoder: null, core: './' })),
  worker: await says(() => Vantage.open('nowhere/', { worker: { postMessage() {} } })),
  threads: await says(() => Vantage.open('nowhere/', { workers: 2 })),
};
vantage.close();
console.log(JSON.stringify({ element: typeof VantageSearch, globals, refusals }));
