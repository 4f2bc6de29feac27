import { expect, it } from 'vitest'
import { addFuel } from './fuel'
import { heldUp } from './late'

const STORE = { group: 1, firstMark: 0, free: 1, portion: 1 }
const KERNEL = `@compute @workgroup_size(16)
fn main() {
  for (var i = 0u; i < 4u; i += 1u) { workgroupBarrier(); /* workgroupBarrier(); */ }
  workgroupBarrier () ; // workgroupBarrier();
}`

it('holds invocations up behind each barrier, and none in a comment', () => {
  const fueled = addFuel(KERNEL, 100, STORE)
  if (!fueled.ok) throw new Error('no fuel')
  const { code, storeName } = fueled.value
  expect(storeName).toBe('fuelStore')
  const late = heldUp(code, 'fuelStore')
  expect(late.match(/workgroupBarrier ?\(\) ?; fuelStoreLate\(\);/g)).toHaveLength(2)
  expect(late.match(/fuelStoreLate\(\);/g)).toHaveLength(2)
  expect(late).toContain('fn fuelStoreLate() {\n  if (fuelStoreBarriers == 64) { return; }\n')
  expect(late.split('\n').slice(0, 4).join('\n').replaceAll(' fuelStoreLate();', '')).toBe(
    code.split('\n').slice(0, 4).join('\n'),
  )
})

it('has no store where nothing has a loop', () => {
  const fueled = addFuel('@compute @workgroup_size(1) fn main() { workgroupBarrier(); }', 100, STORE)
  expect(fueled.ok && fueled.value.storeName).toBeNull()
})
