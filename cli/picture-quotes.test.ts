import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PICTURE, QUOTES, quotedInPicture } from './picture-quotes'
import { ROOT } from './terminal.mjs'

it('the README’s picture is of the present site: npm run lab -- pictures', async () => {
  expect(JSON.parse(readFileSync(QUOTES, 'utf8'))).toEqual(await quotedInPicture())
  expect(readFileSync(PICTURE).subarray(1, 4).toString()).toBe('PNG')
}, 30_000)

it('the README says of it what it shows', async () => {
  const { computedPercent } = await quotedInPicture()
  const [, alt = ''] =
    /!\[([^\]]*)\]\(\.github\/screenshot\.png\)/.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ?? []
  expect(alt).toContain(`the GPU computed for ${String(computedPercent)} % of the time`)
}, 30_000)
