/** What the visitor sees is the very source that runs: every program and shader has its highlighted file, and no letter differs. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { experiments } from '../../../experiments/testing/catalog'
import { experimentLessons } from '../../../lessons/testing/catalog'
import { textOf, type HighlightedLines } from './lines'
import { programFile, pyTorchFile, referenceFile, shaderFile } from './Sources'

const read = (path: string): string => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')

async function expectSame(load: (() => Promise<HighlightedLines>) | undefined, path: string): Promise<void> {
  if (!load) throw new Error(`${path} is missing`)
  const lines = await load()
  expect(textOf(lines)).toBe(read(path).replace(/\n$/, ''))
  expect(lines.flat().some((token) => typeof token !== 'string')).toBe(true)
}

it.each(experimentLessons)('$id shows its PyTorch side', ({ id }) =>
  expectSame(pyTorchFile(id), `src/lessons/${id}/code/pytorch.py`),
)

describe.each(experiments)('$id', ({ id }) => {
  const programs = readdirSync(new URL(`../../../experiments/${id}/programs`, import.meta.url))
  it.each(programs)('shows %s as it runs', (file) =>
    expectSame(programFile(id, file.replace(/\.js$/, '')), `src/experiments/${id}/programs/${file}`),
  )
})

it.each([
  ['sync-stalls', 'javascript', 'js'],
  ['kernel-ladder', 'wgsl', 'wgsl'],
] as const)('%s shows the reference of its exercise', (id, language, ending) =>
  expectSame(referenceFile(id, language), `src/lessons/${id}/mend/reference.${ending}`),
)

const sources = [...new Set(experiments.flatMap((experiment) => experiment.sources))]
it.each(sources)('%s is shown as it runs', (path) => expectSame(shaderFile(path), path))
