/** Each mend has a cheat of every family, or says why the family does not apply; and four right programs in other styles. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lessonsWithMend } from '../../../cli/mend-files'
import { CHEATS, cheatPage, cheatsOf } from './cheat-table'
import { rightPrograms } from './programs'

const PAGE = join(import.meta.dirname, '../CHEATS.md')
const LEAST_RIGHT = 4

describe.each(lessonsWithMend())('%s', (lesson) => {
  it.each(CHEATS)('%s', async (family) => {
    const { checks, absent } = await cheatsOf(lesson)
    expect(checks.has(family)).toBe(!absent.has(family))
  })
  it('has right programs, each in a style of its own', async () => {
    const programs = await rightPrograms(lesson)
    expect(new Set(programs.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(LEAST_RIGHT)
    expect(new Set(programs.map(({ name }) => name)).size).toBe(programs.length)
  })
})

it('is what the page shows', async () => {
  const page = await cheatPage(await Promise.all(lessonsWithMend().map(cheatsOf)), PAGE)
  await expect(page).toMatchFileSnapshot(PAGE)
})
