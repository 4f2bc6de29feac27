/** `lab check`: exit codes, the lines of a diff, and SARIF. */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { inLoop } from '../src/check/testing/examples'
import { parseCheck } from './check-arguments'
import { check, linesIn } from './lab-check'

async function ran(...args: readonly string[]) {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  const error = vi.spyOn(console, 'error').mockReturnValue()
  try {
    const code = await check(parseCheck(args))
    return { code, out: log.mock.calls.join('\n'), said: error.mock.calls.join('\n') }
  } finally {
    log.mockRestore()
    error.mockRestore()
  }
}

it('fails where a condition holds, and writes SARIF', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lab-check-'))
  const file = join(folder, 'train.py')
  const sarif = join(folder, 'found.sarif')
  await writeFile(file, inLoop('print(loss.item())'))
  expect(await ran(file)).toMatchObject({
    code: 0,
    out: expect.stringContaining(`${file}:18:15 blocks`) as string,
  })
  expect(await ran(file, '--fail-if', 'item > 0', '--sarif', sarif)).toMatchObject({
    code: 1,
    said: "'item > 0' holds: item is 1.",
  })
  expect(await ran(file, '--fail-if', 'loads > 0')).toMatchObject({ code: 0 })
  const written = JSON.parse(await readFile(sarif, 'utf8')) as object
  expect(written).toMatchObject({
    version: '2.1.0',
    runs: [
      {
        results: [
          {
            ruleId: 'item',
            locations: [{ physicalLocation: { region: { startLine: 18, startColumn: 15 } } }],
          },
        ],
      },
    ],
  })
})

it('knows the lines of a diff', () => {
  const isChanged = linesIn('@@ -3 +3,2 @@\n-a\n+b\n+c\n@@ -9,2 +10,0 @@\n-x\n-y\n@@ -20 +18 @@\n')
  expect([2, 3, 4, 5, 10, 18, 19].filter(isChanged)).toEqual([3, 4, 18])
})

it('names what is wrong with a call', () => {
  expect(() => parseCheck([])).toThrow('Which file?')
  expect(() => parseCheck(['a.py', '--fail-if', 'nothing > 0'])).toThrow("knows no 'nothing'")
})
