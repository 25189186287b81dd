// Sends requests to an encode server with OpenAI's own client and prints the
// answers. Arguments: the client's folder, the server's address, a key, the
// model's id and {"texts": […], "ids": [[…]]}.
import { createRequire } from "node:module";

const [folder, baseURL, apiKey, model, given] = process.argv.slice(2);
const OpenAI = createRequire(folder + "/").call(null, "openai").OpenAI;
const { texts, ids } = JSON.parse(given);
const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });

const vectors = (answer) => answer.data.map((d) => Array.from(d.embedding));
async function refused(ask) {
  try {
    await ask();
  } catch (e) {
    return { kind: e.constructor.name, status: e.status, code: e.code, param: e.param, type: e.type, message: e.message };
  }
}
const create = (more) => client.embeddings.create({ model, input: texts, ...more });

const usual = await create({}); // base64 on the wire
const models = [];
for await (const m of client.models.list()) models.push(m.id);
console.log(JSON.stringify({
  usual: vectors(usual),
  usage: usual.usage,
  float: vectors(await create({ encoding_format: "float", user: "somebody" })),
  base64: (await create({ encoding_format: "base64" })).data.map((d) => d.embedding),
  one: vectors(await create({ input: texts[0] })),
  short: vectors(await create({ dimensions: 7 })),
  lists: vectors(await create({ input: ids })),
  list: vectors(await create({ input: ids[0] })),
  models,
  retrieved: (await client.models.retrieve(model)).id,
  refused: [
    await refused(() => create({ model: "text-embedding-3-small" })),
    await refused(() => create({ dimensions: 100000 })),
    await refused(() => create({ input: [] })),
    await refused(() => create({ input: [[100257]] })),
    await refused(() => create({ encoding_format: "int8" })),
    await refused(() => new OpenAI({ baseURL, apiKey: "other", maxRetries: 0 }).models.list()),
  ],
}));
