/**
 * `npm run bench -- matmul` as a person calls it, with one tiny shape: every library of the field starts in one page, multiplies rightly
 * and dispatches what it was asked for. Which one is faster is no test's business.
 */
import { readFile } from 'node:fs/promises'
import type { Results } from '../bench/matmul-results'
import { command } from './command'
import { expect, LONG, test } from './fixtures'

const bench = (...args: readonly string[]) => command(['bench/bench.mjs', ...args])

test('bench matmul: every library multiplies rightly, and the results file makes a table', LONG, async () => {
  test.skip(test.info().project.name === 'gpu', 'there npm run bench -- matmul is the measurement itself')
  const file = test.info().outputPath('results.json')
  const args = ['--adapter', 'software', '--sizes', '20x28x24', '--seconds', '1', '--json', file]
  const ended = await bench('matmul', ...args)
  expect(ended, ended.stderr).toMatchObject({ code: 0 })

  const results = JSON.parse(await readFile(file, 'utf8')) as Results
  expect(results.userAgent).toContain('Chrom')
  expect(results.adapter).toContain('SwiftShader')
  expect(results.fmaPeakTflops?.value).toBeGreaterThan(0)
  expect(results.rows.map(({ library }) => library)).toEqual(['lab', 'tfjs', 'ort', 'jax'])
  for (const { library, error, verified, shape, tflops, low, high, n } of results.rows) {
    expect({ library, verified, shape }).toEqual({ library, verified: true, shape: [20, 28, 24] })
    expect(n, library).toBeGreaterThanOrEqual(5)
    // A machine with other work may give nothing but noise; then a row must say so and have no figure.
    if (error !== undefined)
      expect({ library, error, tflops }).toEqual({
        library,
        error: 'its times are noise: a longer chain took no longer',
        tflops: null,
      })
    else {
      expect(low ?? NaN, library).toBeGreaterThan(0)
      expect(tflops ?? NaN, library).toBeGreaterThanOrEqual(low ?? NaN)
      expect(tflops ?? NaN, library).toBeLessThanOrEqual(high ?? NaN)
    }
  }
  for (const { library, checked, failed, dispatchesPerProduct } of results.details) {
    expect({ library, failed }).toEqual({ library, failed: 0 })
    expect(checked, library).toBeGreaterThanOrEqual(64)
    expect(dispatchesPerProduct ?? 0, library).toBeGreaterThanOrEqual(1)
  }

  const table = await bench('matmul', '--table', file)
  expect(table, table.stderr).toMatchObject({ code: 0 })
  expect(table.stdout).toContain('| 20×28×24 |')
})

test('bench matmul: a mistake is one line, exit code 2, and no browser', async () => {
  const ended = await bench('matmul', '--sizes', '0')
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.stderr.trim().split('\n')).toHaveLength(1)
  expect(ended.stderr).toContain('1 to 16384')
})
