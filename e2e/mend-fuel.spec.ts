/** Loops of a learner's kernels: few invocations may have long ones, and where one does not end the grade names its line. */
import { mendText } from '../cli/mend-files'
import { ALONE, expect, LONG } from './fixtures'
import { expectFailure, GRADING_TIMEOUT_MS } from './mends'
import type { Grade } from '../src/exercises/types'
import { test } from './shared-page'

test.beforeEach(async ({ lab }) => {
  test.setTimeout(GRADING_TIMEOUT_MS)
  await lab.open('/method')
})

const sentence = ({ checks }: Grade, check: string): string =>
  checks.find(({ id }) => id === check)?.text ?? ''

const replaced = (text: string, ...edits: readonly (readonly [from: string, to: string])[]): string => {
  let edited = text
  for (const [from, to] of edits) {
    expect(edited).toContain(from)
    edited = edited.replace(from, to)
  }
  return edited
}

/** One workgroup for all words of a tensor. */
const STRIDED: readonly (readonly [string, string])[] = [
  ['@workgroup_size(256)', '@workgroup_size(64)'],
  ['if (id.x < arrayLength(&tensor)) { // the last workgroup reaches beyond the end', 'for (var i = id.x; i < arrayLength(&tensor); i += 64u) {'],
  ['tensor[id.x] = hash(id.x + hash(seed))', 'tensor[i] = hash(i + hash(seed))'],
  ['pass.dispatchWorkgroups(Math.ceil(words / 256))', 'pass.dispatchWorkgroups(1)'],
] // oxfmt-ignore

test('a strided loop of one workgroup does all the work', async ({ lab }) => {
  const source = replaced(await mendText('tensor-residence', 'reference'), ...STRIDED)
  expect(failedBut(await lab.grade('tensor-residence', source), 'time')).toEqual([])
})

test('the same with a pipeline layout of its own', async ({ lab }) => {
  const source = replaced(await mendText('tensor-residence', 'reference'), ...STRIDED, [
    "layout: 'auto',",
    `layout: device.createPipelineLayout({
      bindGroupLayouts: [
        device.createBindGroupLayout({
          entries: ['uniform', 'storage'].map((type, binding) => ({ binding, visibility: GPUShaderStage.COMPUTE, buffer: { type } })),
        }),
      ],
    }),`,
  ])
  expect(failedBut(await lab.grade('tensor-residence', source), 'time')).toEqual([])
})

/** One workgroup may be too slow for a GPU’s time. */
const failedBut = ({ checks }: Grade, allowed: string): readonly string[] =>
  checks.flatMap(({ id, outcome, text }) => (outcome === 'no' && id !== allowed ? [`${id}: ${text}`] : []))

// In short a kernel's is, below. The time that its fuel stands for was measured when the machine was as busy as it is now.
test(
  'a loop in a program’s WGSL that does not end is named by its line',
  { tag: [LONG.tag, ALONE.tag] },
  async ({ lab }) => {
    const source = replaced(await mendText('tensor-residence', 'reference'), [
      'tensor[id.x] = hash',
      'for (var i = 0u; i < 1u; i *= 2u) {\n tensor[id.x] += i;\n }\n tensor[id.x] = hash',
    ])
    const grade = await lab.grade('tensor-residence', source)
    expectFailure(grade, 'fuel')
    expect(sentence(grade, 'fuel')).toContain('The loop in line 14 of your WGSL')
  },
)

const KERNEL = `@group(0) @binding(0) var<uniform> n: u32;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;
`

test(
  'in a kernel, one invocation may do the work of its workgroup, in a function with a loop',
  LONG,
  async ({ lab }) => {
    const grade = await lab.grade(
      'kernel-ladder',
      `${KERNEL}
fn entry(row: u32, column: u32) -> f32 {
  var sum = 0.0;
  for (var k = 0u; k < n; k += 1u) { sum += a[row * n + k] * b[k * n + column]; }
  return sum;
}
@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) block: vec3u) {
  for (var i = 0u; i < 256u; i += 1u) {
    let row = 16u * block.y + i / 16u;
    let column = 16u * block.x + i % 16u;
    if (row < n && column < n) { c[row * n + column] = entry(row, column); }
  }
}`,
    )
    expect(failedBut(grade, 'time')).toEqual([])
  },
)

test('a kernel whose loop does not end is named by its line', async ({ lab }) => {
  const source = replaced(await mendText('kernel-ladder', 'start'), ['k < n; k += 1u', 'k < n; k *= 2u'])
  const grade = await lab.grade('kernel-ladder', source)
  expectFailure(grade, 'fuel')
  expect(sentence(grade, 'fuel')).toContain('The loop in line 17 of your WGSL')
})

// In short mend-wgsl.spec ends such loops, and src/exercises/wgsl/fuel.test names lines.
test('with barriers too', LONG, async ({ lab }) => {
  const source = replaced(
    await mendText('kernel-ladder', 'start'),
    ['@compute', 'var<workgroup> tile: array<f32, 256>;\n@compute'],
    ['if (row >= n || column >= n) {\n    return;\n  }', 'for (var turn = 0u; turn < 1u; turn *= 2u) { workgroupBarrier(); }'],
  ) // oxfmt-ignore
  const grade = await lab.grade('kernel-ladder', source)
  expectFailure(grade, 'fuel')
  expect(sentence(grade, 'fuel')).toContain('The loop in line 13 of your WGSL')
})

test('a kernel that does not compile is the learner’s, at its line', async ({ lab }) => {
  const source = replaced(await mendText('kernel-ladder', 'start'), ['sum +=', 'total +='])
  const grade = await lab.grade('kernel-ladder', source)
  expectFailure(grade, 'ended')
  expect(sentence(grade, 'ended')).toMatch(/^Your WGSL does not compile: .*\(line 18\)$/)
  expect(sentence(grade, 'ended')).not.toContain('bug')
})
