/*! Vantage | Apache-2.0 */
import{FormatError,InputError}from"./index.js";var BATCH=32,TransformersEncoder=class _TransformersEncoder{static async load(model,{transformers,pipeline:settings,...options}){let{pipeline}=await transformers();
return new _TransformersEncoder(await pipeline("feature-extraction",model,settings),{id:model,revision:settings?.revision,...options})}local=!0;#extractor;#turn=Promise.resolve();constructor(extractor,{
id="transformers.js",revision="",dim=extractor?.model?.config?.hidden_size,pooling="mean",normalize=!0,prompts={},batch=BATCH}={}){if(typeof extractor!="function")throw new InputError("TransformersEnc\
oder takes a pipeline of transformers.js: await pipeline('feature-extraction', MODEL)");if(!Number.isInteger(dim)||dim<1)throw new InputError(`dim is ${dim}, must be the number of components of the mo\
del's vectors`);if(!Number.isInteger(batch)||batch<1)throw new InputError(`batch is ${batch}, must be a whole number from 1`);this.#extractor=extractor,this.id=id,this.revision=revision,this.dim=dim,this.
pooling=pooling,this.normalize=normalize,this.prompts=prompts,this.batch=batch}async encode(texts,role="query",{signal}={}){let prompt=this.#prompt(role),prompted=Array.from(texts,text=>prompt+text),vectors=[];
for(let at=0;at<prompted.length;at+=this.batch){let turn=this.#turn.then(()=>(signal?.throwIfAborted(),this.#run(prompted.slice(at,at+this.batch))));this.#turn=turn.catch(()=>{}),vectors.push(...await turn)}
return vectors}#prompt(role){let{prompts}=this;return prompts[role]??(role==="root"||role==="perspective"?prompts.query:void 0)??""}async#run(texts){let{dim}=this,tensor=await this.#extractor(texts,{pooling:this.
pooling,normalize:this.normalize}),{type,dims,data}=tensor??{};if(type!=="float32"||dims?.length!==2||dims[0]!==texts.length||dims[1]!==dim||data?.length!==texts.length*dim)throw new FormatError(`the \
model gives a tensor of ${type} [${dims}] for ${texts.length} texts, expected float32 [${texts.length},${dim}]: see dim and pooling`);let vectors=texts.map((_,i)=>Float32Array.from(data.subarray(i*dim,
(i+1)*dim)));return tensor.dispose?.(),vectors}};export{TransformersEncoder};
