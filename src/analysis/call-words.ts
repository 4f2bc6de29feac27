/** Calls that a recorded page can do without, in words, as cause-words.ts has causes. */
import { COSTLY, SCRIPT } from './replay/read-page'

interface CallWords {
  readonly title: string
  readonly change: string
  readonly mend: string
}
/** By the name that the program has for it. */
export const CALL_WORDS: Readonly<Record<string, CallWords>> = {
  [COSTLY.image]: {
    title: 'Images are copied to textures again and again',
    change: 'Without copyExternalImageToTexture()',
    mend: 'Copy an image or a canvas only when it has changed, and draw what changes every frame with WebGPU.',
  },
  [COSTLY.compile]: {
    title: 'Pipelines are made while the page runs',
    change: 'Without making pipelines',
    mend: 'Make them before the work begins, with createRenderPipelineAsync() or createComputePipelineAsync().',
  },
  [COSTLY.create]: {
    title: 'Mapped buffers are made again and again',
    change: 'Without making mapped buffers',
    mend: 'Make them once and reuse them: each call fills their memory with zeros.',
  },
  [COSTLY.texture]: {
    title: 'Textures are written again and again',
    change: 'Without writeTexture()',
    mend: 'Write only what has changed, or draw it with WebGPU.',
  },
  [COSTLY.write]: {
    title: 'writeBuffer() holds the page up',
    change: 'Without writeBuffer()',
    mend: 'Keep what changes in one buffer, each value at its own offset, and write it once.',
  },
  [COSTLY.fill]: {
    title: 'Filling staging buffers holds the page up',
    change: 'Without filling staging buffers',
    mend: 'Fill them in a worker, or make the data on the GPU.',
  },
  [COSTLY.read]: {
    title: 'Reading mapped buffers holds the page up',
    change: 'Without reading mapped buffers',
    mend: 'Read less, or in a worker.',
  },
  [SCRIPT]: {
    title: 'The page’s script holds the GPU up',
    change: 'Without the script’s other work',
    mend: 'Submit before this work, make it faster, or move it to a worker.',
  },
}
