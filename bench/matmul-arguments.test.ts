import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CommandError } from '../cli/terminal.mjs'
import { parseMatmulArguments } from './matmul-arguments'
import { flopsOf, formatShape, parseShapes } from './matmul-shapes'

const refusal = (parse: () => unknown): string => {
  try {
    parse()
  } catch (thrown) {
    if (thrown instanceof CommandError && thrown.exitCode === 2) return thrown.message
    throw thrown
  }
  throw new Error('accepted')
}

describe('shapes', () => {
  const side = fc.integer({ min: 1, max: 16_384 })

  it('are one number or three, with x or ×', () => {
    fc.assert(
      fc.property(side, side, side, (m, n, k) => {
        expect(parseShapes(`${String(m)}x${String(n)}x${String(k)}`)).toEqual([{ m, n, k }])
        expect(parseShapes(` ${String(m)}×${String(n)}×${String(k)}`)).toEqual([{ m, n, k }])
        expect(parseShapes(String(m))).toEqual([{ m, n: m, k: m }])
      }),
    )
  })

  it.each(['', '0', '-4', '16385', '1e3', '4.5', '12x', '1x2', '1x2x3x4', '1x0x2', 'big', '0x10x1x1'])(
    "'%s' is refused",
    (text) => expect(refusal(() => parseShapes(text))).toMatch(/1 to 16384|one number or three/),
  )

  it('count once, however they are written', () => {
    expect(parseShapes('512,512x512x512, 4096x4096x64')).toEqual([
      { m: 512, n: 512, k: 512 },
      { m: 4096, n: 4096, k: 64 },
    ])
  })

  it('are written as M×N×K, or as a cube', () => {
    expect(formatShape({ m: 2, n: 2, k: 2 })).toBe('2³')
    expect(formatShape({ m: 1, n: 4096, k: 2 })).toBe('1×4096×2')
    expect(flopsOf({ m: 3, n: 5, k: 7 })).toBe(210)
  })
})

describe('bench matmul arguments', () => {
  it('has defaults', () => {
    expect(parseMatmulArguments([])).toEqual({
      command: 'measure',
      adapter: 'auto',
      shapes: null,
      peers: ['tfjs', 'ort', 'jax'],
      kernels: false,
      json: null,
      prebuilt: false,
    })
  })

  it('takes what is given', () => {
    const args = ['--adapter', 'gpu', '--sizes', '64', '--peers', 'jax,ort,jax', '--kernels']
    expect(parseMatmulArguments([...args, '--json', 'r.json', '--prebuilt'])).toEqual({
      command: 'measure',
      adapter: 'gpu',
      shapes: [{ m: 64, n: 64, k: 64 }],
      peers: ['jax', 'ort'],
      kernels: true,
      json: 'r.json',
      prebuilt: true,
    })
    expect(parseMatmulArguments(['--peers', 'none'])).toMatchObject({ peers: [] })
    expect(parseMatmulArguments(['--table', 'r.json'])).toEqual({ command: 'table', file: 'r.json' })
    expect(parseMatmulArguments(['--build'])).toEqual({ command: 'build' })
  })

  it.each([
    [['--adapter', 'cpu'], "one of auto, gpu, software; got 'cpu'"],
    [['--sizes', '64,99999'], "1 to 16384, or three of them as in 4096x4096x64 (M, N, K); got '99999'"],
    [['--peers', 'tfjs,torch'], "must be one of tfjs, ort, jax; got 'torch'"],
    [['--sise', '4'], "Unknown option '--sise'"],
    [['512'], 'Unexpected argument'],
  ])('%j is refused in one line', (args, message) => {
    const refused = refusal(() => parseMatmulArguments(args))
    expect(refused).toContain(message)
    expect(refused).not.toContain('\n')
  })
})
