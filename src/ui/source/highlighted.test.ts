/** What the visitor sees is the very source that runs: every block and shader has its highlighted file, and no letter differs. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { experiments } from '../../experiments/catalog'
import { lessons } from '../../lessons/catalog'
import { lessonFile, plain, shaderFile, textOf } from './highlighted'

describe.each(lessons)('$id', ({ id, code }) => {
  it.each(code)('$dialect is highlighted from its own file', async ({ dialect, source }) => {
    const [path, load] = lessonFile(id, dialect)
    if (!load) throw new Error(`${path}* is missing`)
    const lines = await load()
    expect(textOf(lines)).toBe(textOf(plain(source)))
    expect(lines.flat().some((token) => typeof token !== 'string')).toBe(true)
  })
})

const sources = [...new Set(experiments.flatMap((experiment) => experiment.sources))]
it.each(sources)('%s is shown as it runs', async (path) => {
  const load = shaderFile(path)
  if (!load) throw new Error(`${path} is missing`)
  const file = readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
  expect(textOf(await load())).toBe(file.replace(/\n$/, ''))
})
