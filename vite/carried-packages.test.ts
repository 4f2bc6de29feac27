import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { loadedPackages, modulesIn } from '../src/testing/import-graph'
import { licencesText } from './carried-packages'

it('names every package that the site is made of, with its licence', async () => {
  const text = await licencesText()
  const fonts = readFileSync('src/site/ui/fonts.css', 'utf8').matchAll(/url\('(@[^/]+\/[^/]+)\//g)
  const names = [...loadedPackages(modulesIn('src')).keys(), ...Array.from(fonts, ([, name = '']) => name)]
  expect(names).toContain('@fontsource-variable/inter')
  for (const name of names)
    expect(text, name).toMatch(new RegExp(`^${name.replace('/', '\\/')} \\d\\S+ \\(\\S+\\)$`, 'm'))
  expect(text).toContain('Permission is hereby granted')
  expect(text).not.toMatch(/^(vite|rolldown|shiki|fontkit|tsx|playwright-core|oxlint|@?typescript\S*) \d/m)
})
