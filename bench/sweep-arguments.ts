/** What `npm run bench -- sweep …` was asked for. */
import { parseArgs } from 'node:util'
import { CommandError } from '../cli/terminal.mjs'
import { formatShape, type GemmShape } from './matmul-shapes'

const SIZES =
  '512x512x512,1024x1024x1024,1000x1000x1000,4096x4096x4096,64x4096x4096,1x4096x4096,2048x2048x2048,8192x8192x8192,4096x4096x64,' +
  '1022x1022x1022,1023x1023x1023,4094x4096x4096,4096x4095x4094,32x32x4194304'

/** k may be as long as memory allows, unlike in the bench beside libraries. */
function shapesOf(text: string): readonly GemmShape[] {
  const shapes = text.split(',').map((one): GemmShape => {
    const [m, n, k] = one.split('x').map(Number)
    if (!m || !n || !k) throw new CommandError(`--sizes takes MxNxK,…; got '${one}'.`, 2)
    return { m, n, k }
  })
  return [...new Map(shapes.map((shape) => [formatShape(shape), shape])).values()]
}

/** Throws CommandError with exit code 2. */
export function sweepArguments(argv: readonly string[]) {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      adapter: { type: 'string', default: 'gpu' },
      sizes: { type: 'string', default: SIZES },
      json: { type: 'string', default: 'lab-out/sweep.json' },
      seconds: { type: 'string', default: '140' },
      rounds: { type: 'string', default: '5' },
      only: { type: 'string', default: '' },
      singly: { type: 'boolean', default: false },
      prebuilt: { type: 'boolean', default: false },
    },
  })
  return {
    adapter: values.adapter === 'software' ? ('software' as const) : ('gpu' as const),
    shapes: shapesOf(values.sizes),
    json: values.json,
    seconds: Number(values.seconds),
    rounds: Number(values.rounds),
    only: values.only,
    singly: values.singly,
  }
}
