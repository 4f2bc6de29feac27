import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { loadedPackages, modulesIn } from '../src/testing/loaded-packages'
import { billOfMaterials, licencesText } from './carried-packages'

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

it('lists the same packages as a bill of materials, each with its address, licence and hash', async () => {
  interface Component {
    readonly name: string
    readonly version: string
    readonly purl: string
    readonly licenses?: readonly { readonly expression: string }[]
    readonly hashes?: readonly { readonly alg: string; readonly content: string }[]
  }
  const text = await billOfMaterials()
  const bill = JSON.parse(text) as { readonly bomFormat: string; readonly components: readonly Component[] }
  expect(bill.bomFormat).toBe('CycloneDX')
  const licences = await licencesText()
  for (const { name, version, purl, licenses, hashes } of bill.components) {
    expect(licences).toContain(`${name} ${version} (`)
    expect(purl).toBe(`pkg:npm/${name.replace('@', '%40')}@${version}`)
    expect(licenses?.[0]?.expression, name).toMatch(/^[A-Za-z0-9.()+ -]+$/)
    expect(hashes?.[0]?.content, name).toMatch(/^[0-9a-f]{128}$/)
  }
  expect(bill.components.map(({ name }) => name)).toContain('react')
  expect(await billOfMaterials()).toBe(text)
})
