import { expect, it } from 'vitest'
import type { Gap } from '../trace/gaps'
import { Fixture } from './testing/fixture'
import { Tree, treeKey, treePath, type TreeRow } from './tree'
import type { TimelineData } from './types'

/** Ten passes of 100 ns each 1000 ns, a gap between the third and the fourth, a wait of the host round the first five. */
function data(): TimelineData {
  const fixture = new Fixture()
  fixture.span('host', 'host-wait', 0, 5000)
  const passes = Array.from({ length: 10 }, (_, at) =>
    fixture.span('device', 'compute', 1000 * at, 1000 * at + 100, { name: `pass ${at}` }),
  )
  const gap: Gap = {
    lane: fixture.lanes.device,
    startNs: 2100,
    endNs: 3000,
    deviceStartNs: 0,
    durationNs: 900,
    cause: 'host-waited',
    evidence: 'The host waited.',
    before: passes[2] ?? 0,
    after: passes[3] ?? 0,
    variant: 0,
    repeat: 0,
    spans: [],
  }
  return fixture.data([gap])
}
const everything = { startNs: -1e9, endNs: 1e9 }
const rowsOf = (tree: Tree): TreeRow[] =>
  Array.from({ length: tree.rowCount }, (_, at) => tree.row(at)).filter((row) => row !== null)
const open = (): boolean => true

it('has groups, their lanes, and in an open lane its spans and gaps by start', () => {
  const all = data()
  const tree = new Tree(all, everything, open)
  const device = rowsOf(tree).slice(-11)
  expect(device.map(({ key }) => key.split(' ')[0])).toEqual([
    ...Array<string>(3).fill('span'),
    'gap',
    ...Array<string>(7).fill('span'),
  ])
  expect(device.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  expect(new Set(device.map(({ setSize }) => setSize))).toEqual(new Set([11]))
  expect(device[3]?.label).toContain('device idle for')
  expect(device[0]?.label).toContain('pass 0')
  expect(rowsOf(tree).filter(({ level }) => level === 1)).toHaveLength(4)
})

it('finds again every row it gives, and its parent', () => {
  const tree = new Tree(data(), everything, open)
  for (const [index, { key, level }] of rowsOf(tree).entries()) {
    expect(tree.indexOf(key)).toBe(index)
    const parent = tree.row(tree.parentOf(index))
    expect(parent?.level).toBe(level === 1 ? undefined : level - 1)
  }
  expect(tree.row(-1)).toBeNull()
  expect(tree.row(tree.rowCount)).toBeNull()
  expect(tree.indexOf('span 999')).toBe(-1)
})

it('holds what touches the view, no more', () => {
  const tree = new Tree(data(), { startNs: 2050, endNs: 3050 }, open)
  const items = rowsOf(tree).filter(({ level }) => level === 3)
  expect(items.map(({ key }) => key)).toEqual(['span 0', 'span 3', 'gap 0', 'span 4'])
  expect(rowsOf(tree).find(({ label }) => label.startsWith('device, 10 spans'))?.label).toBe(
    'device, 10 spans, 1 gap, 3 in view',
  )
})

it('opens and closes: what has nothing under it cannot', () => {
  const closed = new Tree(data(), everything, () => false)
  expect(rowsOf(closed).map(({ level, expanded }) => [level, expanded])).toEqual(
    Array.from({ length: 4 }, () => [1, false]),
  )
  const queue = rowsOf(new Tree(data(), everything, open)).find(({ label }) =>
    label.startsWith('queue, 0 spans'),
  )
  expect(queue?.expanded).toBeNull()
})

it('says what must be open for a target to be seen, and finds heads by their first letter', () => {
  const all = data()
  expect(treePath(all, { type: 'gap', gap: 0 })).toEqual(['group device', 'lane 3'])
  expect(treePath(all, null)).toEqual([])
  expect(treeKey({ type: 'gap', gap: 0 })).toBe('gap 0')
  const tree = new Tree(all, everything, () => false)
  expect(tree.row(tree.find('d', 0))?.key).toBe('group device')
  expect(tree.find('z', 0)).toBe(-1)
})
