import { openPage, type BenchGlobal } from './bench-page'

// Node waits for the promise itself: where there is no adapter, it is to hear so at once.
;(globalThis as BenchGlobal).matmulBench = openPage({
  tfjs: async () => (await import('../peers/tfjs')).openTfjs(),
  ort: async () => (await import('./ort')).openOrt(),
  jax: async () => (await import('../peers/jax')).openJax(),
})
