/**
 * Names that programs of exercises can use, a line each: the page lists them. WebGPU's are those that
 * some exercise's start or reference uses (site/exercise/names.test.ts); those of `input` are in
 * `lessons/<id>/mend/checks.ts`.
 */

export interface Name {
  /** A sentence, or two. */
  readonly says: string
  /** Parameters as they are written: '(data)'. Left out: it is no function. */
  readonly takes?: string
  /** Names of the value, of a call's result, and of each entry of a list. */
  readonly has?: Names
}
export type Names = Readonly<Record<string, Name>>

/** Names in reach where a program begins. */
export interface Scope {
  readonly globals: Names
  /** By its parameters' names, or by their members' where it takes one object apart. */
  readonly given: Names
}

/** `input` as `prepare.ts` must make it: these names and no others. */
export type Given<T extends Names> = Readonly<Record<keyof T, unknown>>

/** A buffer that the host may map. */
export const MAPPABLE: Names = {
  mapAsync: {
    takes: '(mode)',
    says: 'Asks for the buffer. The promise settles when the GPU no longer uses it; the host may then read or write it.',
  },
  getMappedRange: {
    takes: '(offset, size)',
    says: 'The bytes of a mapped buffer, as an ArrayBuffer. It is empty once the buffer is unmapped: copy what is to stay.',
  },
  unmap: { takes: '()', says: 'Gives a mapped buffer back to the GPU, with what the host wrote.' },
  destroy: {
    takes: '()',
    says: 'Frees the memory. Work that was submitted before still has it; later work cannot use the buffer.',
  },
}

const QUEUE: Names = {
  submit: {
    takes: '([commands])',
    says: 'Hands recorded commands to the GPU, behind all before them, and returns at once.',
  },
  writeBuffer: {
    takes: '(buffer, offset, data)',
    says: 'Copies data of the host into a buffer, behind all that was submitted. It returns when the data are copied out of the host’s array.',
  },
  onSubmittedWorkDone: {
    takes: '()',
    says: 'A promise that settles when all that was submitted so far has ended: torch.cuda.synchronize().',
  },
}

const PASS: Names = {
  setPipeline: { takes: '(pipeline)', says: 'The kernel that later dispatches of this pass run.' },
  setBindGroup: { takes: '(index, bindGroup)', says: 'The buffers that later dispatches of this pass use.' },
  dispatchWorkgroups: { takes: '(x, y, z)', says: 'Records a launch of x · y · z workgroups.' },
  end: { takes: '()', says: 'Ends the pass. The encoder can then record other commands.' },
}

const ENCODER: Names = {
  beginComputePass: {
    takes: '({ label })',
    has: PASS,
    says: 'Begins a pass, in which kernels are launched in order.',
  },
  copyBufferToBuffer: {
    takes: '(source, offset, target, offset, size)',
    says: 'Records a copy of so many bytes on the GPU.',
  },
  finish: { takes: '()', says: 'Ends the recording. What it returns can be submitted, once.' },
}

export const PIPELINE: Names = {
  getBindGroupLayout: { takes: '(index)', says: 'What the kernel expects in a bind group.' },
}

const DEVICE: Names = {
  queue: { has: QUEUE, says: 'What the GPU has been given and has yet to do, in order: one stream in CUDA.' },
  createBuffer: {
    takes: '({ size, usage, mappedAtCreation })',
    has: MAPPABLE,
    says: 'Memory of so many bytes. `usage` says what it is for; `mappedAtCreation` lets the host write it at once.',
  },
  createCommandEncoder: {
    takes: '({ label })',
    has: ENCODER,
    says: 'Records commands. Nothing runs until they are submitted.',
  },
  createShaderModule: { takes: '({ code })', says: 'Kernels in WGSL, to be made into pipelines.' },
  createComputePipelineAsync: {
    takes: '({ layout, compute })',
    has: PIPELINE,
    says: 'Compiles a kernel. The promise settles with the pipeline.',
  },
  createBindGroup: { takes: '({ layout, entries })', says: 'The buffers of a kernel, by their binding.' },
}

/** Names in every realm with WebGPU. */
const WEBGPU: Names = {
  GPUBufferUsage: {
    says: 'What a buffer is for, joined by `|`.',
    has: {
      MAP_READ: { says: 'The host may map it to read. Beside it only COPY_DST is allowed.' },
      MAP_WRITE: { says: 'The host may map it to write. Beside it only COPY_SRC is allowed.' },
      COPY_SRC: { says: 'Copies may read it.' },
      COPY_DST: { says: 'Copies and writeBuffer() may write it.' },
      UNIFORM: { says: 'Kernels may read it as a uniform: small, and the same for all invocations.' },
    },
  },
  GPUMapMode: {
    says: 'What a buffer is mapped for.',
    has: {
      READ: { says: 'To read. The buffer must have the usage MAP_READ.' },
      WRITE: { says: 'To write. The buffer must have the usage MAP_WRITE.' },
    },
  },
}

const LAB: Names = {
  steps: {
    takes: '(count)',
    says: 'Counts 0, 1, … count − 1. What you call while a number is out belongs to that step in the picture.',
  },
}

const inputOf = (input: Names): Name => ({ has: input, says: 'What the lab has prepared for this run.' })

/** Scope of a program on a device. */
export const onDevice = (input: Names): Scope => ({
  globals: WEBGPU,
  given: {
    input: inputOf(input),
    device: { has: DEVICE, says: 'The GPU, by WebGPU’s own API.' },
    lab: { has: LAB, says: 'What the lab lends a program.' },
  },
})

const RANK: Names = {
  rank: { says: 'Which rank this is, from 0.' },
  size: { says: 'How many ranks there are.' },
  send: {
    takes: '(to, block)',
    says: 'Sends a Float32Array to a rank. The promise settles when that rank has received it.',
  },
  recv: {
    takes: '(from, block)',
    says: 'Receives into a Float32Array. The promise settles when the numbers are there.',
  },
}
/** Scope of a program that several ranks run at once. */
export const onRanks = (input: Names): Scope => ({ globals: {}, given: { input: inputOf(input), ...RANK } })

/** A pass that the lab has prepared. */
export const passOf = (what: string): Names => ({
  encode: { takes: '(encoder)', says: `Records ${what} into an encoder, as a pass of its own.` },
})
/** One with so many of the same in it. */
export const passesOf = (what: string): Names => ({
  encode: {
    takes: '(encoder, times)',
    says: `Records one pass into an encoder, with ${what} in it \`times\` times; once where that is left out.`,
  },
})
