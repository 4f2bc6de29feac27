import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { licencesText } from './licences'

it('names every package that the site is made of, with its licence', async () => {
  const text = await licencesText()
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>
    readonly devDependencies: Readonly<Record<string, string>>
  }
  for (const name of Object.keys(manifest.dependencies))
    expect(text, name).toMatch(new RegExp(`^${name.replace('/', '\\/')} \\d\\S+ \\(\\S+\\)$`, 'm'))
  expect(text).toContain('Permission is hereby granted')
  expect(text).not.toMatch(/^(vite|eslint|typescript) \d/m)
})
