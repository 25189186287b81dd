// Runs a model under ONNX Runtime. Standard input has one JSON object per line:
// {model, threads} loads a model, {batch, tokens, milliseconds} runs batches for
// that long and answers with the time of each in milliseconds, {batch, tokens,
// output: true} answers with the output of one batch.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const ort = createRequire(process.argv[2] + '/')('onnxruntime-node');
let session;

// feeds returns the same ids as the Go side.
function feeds(batch, tokens) {
  const n = batch * tokens;
  const ids = new BigInt64Array(n), mask = new BigInt64Array(n).fill(1n), positions = new BigInt64Array(n);
  for (let i = 0; i < n; i++) {
    ids[i] = BigInt(1000 + (i * 37) % 20000);
    positions[i] = BigInt(i % tokens);
  }
  const tensor = (data) => new ort.Tensor('int64', data, [batch, tokens]);
  return { input_ids: tensor(ids), attention_mask: tensor(mask), position_ids: tensor(positions) };
}

for await (const line of createInterface({ input: process.stdin })) {
  const task = JSON.parse(line);
  let answer = {};
  if (task.model) {
    await session?.release();
    session = await ort.InferenceSession.create(task.model, { intraOpNumThreads: task.threads, interOpNumThreads: 1, graphOptimizationLevel: 'all' });
  } else if (task.output) {
    const { last_hidden_state } = await session.run(feeds(task.batch, task.tokens));
    answer.output = Array.from(last_hidden_state.data);
  } else {
    const given = feeds(task.batch, task.tokens);
    answer.times = [];
    const end = performance.now() + task.milliseconds;
    do {
      const start = performance.now();
      await session.run(given);
      answer.times.push(performance.now() - start);
    } while (performance.now() < end);
  }
  console.log(JSON.stringify(answer));
}
