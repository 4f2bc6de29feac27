/**
 * Learners' WGSL with fuel on a real device: endless loops end, and programs that end are
 * unchanged.
 */
import { expect, test } from './fixtures'
import { ownPage } from './own-page'
import type { MendLab, Program } from './mend-page/mend-page'
import { randomPrograms } from './mend-page/random-wgsl'
import type { Page } from '@playwright/test'

type MendGlobal = typeof globalThis & { readonly mendLab: MendLab }

const openOwnPage = ownPage('mend', 'mendLab')
test.beforeEach(async ({ page }) => await openOwnPage(page))

const runAll = (page: Page, programs: readonly Program[]) =>
  page.evaluate((all) => (globalThis as MendGlobal).mendLab.runAll(all), programs)

test('loops nested at random give the same words with ample fuel', async ({ page }) => {
  const programs = randomPrograms(40, true, 12)
  expect(programs.filter(({ wgsl }) => wgsl.split('{ if').length > 1).length).toBeGreaterThan(5)
  const ran = await runAll(page, programs)
  ran.forEach(({ errors, fueled, original }, index) => {
    expect(errors, programs[index]?.wgsl).toEqual([])
    expect(fueled, programs[index]?.wgsl).toEqual(original)
  })
})

test('loops nested at random, most of them endless, compile and end', async ({ page }) => {
  const programs = randomPrograms(40, false, 5)
  const ran = await runAll(page, programs)
  ran.forEach(({ errors, fueled }, index) => {
    expect(errors, programs[index]?.wgsl).toEqual([])
    expect(fueled).toHaveLength(64)
  })
})

const main = (body: string, before = ''): string =>
  `${before}@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) id: u32) { var x = id; ${body} output[id] = x; }`

const ENDLESS: readonly string[] = [
  main('loop {}'),
  main('for(;;){}'),
  main('while true {}'),
  main('while /* { */ true // }\n /* /* */ loop { */ { x += 1u; }'),
  main('for (;;) { for (;;) { while true { loop { x += 1u; } } } }'),
  main('x = f(x); x = f(x);', 'fn f(y: u32) -> u32 { loop { if y == 4294967295u { return 1u; } } }'),
  main('for (;;) { x += f(x); }', 'fn f(y: u32) -> u32 { var z = y; for (;;) { z += 1u; } return z; }'),
  main('loop { continuing { for (;;) { x += 1u; } } }'),
  main('while f(x) < 1u { }', 'fn f(y: u32) -> u32 { var z = y | 1u; while z > 0u { z += 2u; } return z; }'),
  main('for (var i = 0u; i < 10u; i -= 1u) { if x == 7u { continue; } x += 1u; }'),
  main('switch x { case 3u { loop { x += 1u; } } default { for (;;) { x += 2u; } } }'),
  main('if id < 8u { loop { x += 1u; } } else { while true { } }'),
  main('for (;;) { workgroupBarrier(); x += 1u; } workgroupBarrier();'),
]

test('what never ends, ends', async ({ page }) => {
  const programs = ENDLESS.map((wgsl) => ({ wgsl, perInvocation: 1000, isFinite: false }))
  const ran = await runAll(page, programs)
  ran.forEach(({ errors, fueled }, index) => {
    expect(errors, ENDLESS[index]).toEqual([])
    expect(fueled, ENDLESS[index]).toHaveLength(64)
  })
  // The innermost loop counts its own fuel and no more, whatever is around it.
  expect(ran[4]?.fueled[0]).toBe(1000)
})

const SHARED = 'var<workgroup> shared_x: array<u32, 64>; '
/** Barriers in loops, and others around them whose length differs between invocations. */
const UNIFORM: readonly string[] = [
  main(
    'for (var i = 0u; i < 4u; i += 1u) { for (var j = 0u; j < x; j += 1u) { x -= 1u; } workgroupBarrier(); }',
  ),
  main(
    'for (var i = 0u; i < 4u; i += 1u) { if id < 3u { loop { x += 1u; if x > 9u { break; } } } workgroupBarrier(); }',
  ),
  main(
    'for (var i = 0u; i < 4u; i += 1u) { for (var j = 0u; j < 4u; j += 1u) { workgroupBarrier(); } while x > 3u { x /= 2u; } }',
  ),
  main(
    'for (var i = 0u; i < 3u; i += 1u) { if x == 5u { continue; } for (var j = 0u; j < x; j++) { x -= 1u; } } workgroupBarrier();',
  ),
  main(
    'for (var i = 0u; i < 4u; i += 1u) { x += wait(i); }',
    'fn wait(n: u32) -> u32 { for (var i = 0u; i < n; i += 1u) { workgroupBarrier(); } return n; } ',
  ),
  main(
    'for (var i = 0u; i < count(4u); i += 1u) { x += count(x); workgroupBarrier(); }',
    'fn count(n: u32) -> u32 { var i = 0u; loop { if i >= n { return i; } i += 1u; } } ',
  ),
  main(
    'for (var i = workgroupUniformLoad(&shared_x[0]); i < 4u; i += 1u) { workgroupBarrier(); shared_x[id] = i; }',
    SHARED,
  ),
]

test('a barrier that compiles does so with fuel, and one that does not, does not', async ({ page }) => {
  for (const wgsl of UNIFORM) {
    const result = await page.evaluate((one) => (globalThis as MendGlobal).mendLab.compile(one), wgsl)
    expect(result, wgsl).toEqual({ original: [], fueled: [] })
  }
  const uneven = main('for (var i = 0u; i < id; i += 1u) { workgroupBarrier(); }')
  const { original, fueled } = await page.evaluate(
    (one) => (globalThis as MendGlobal).mendLab.compile(one),
    uneven,
  )
  expect(original[0]).toContain('uniform control flow')
  expect(fueled[0]).toContain('uniform control flow')
})
