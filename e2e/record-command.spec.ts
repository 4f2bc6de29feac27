/**
 * `lab record URL` on pages that know nothing of the lab: in workers of workers under Trusted
 * Types, in frames of other origins, and without WebGPU.
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recorderScript } from '../vite/recorder-file'
import { command, recordedIn } from './command'
import { expect, LONG, test } from './fixtures'
import { serving } from './serving'

const SUBMITS = 12
const FRAMES = 30
/** By then the command has asked for what there is a second time (cli/lab-record.ts). */
const KEPT_MS = 3000
/** A pass each, and its result awaited at once. */
const WORK = `const adapter = await navigator.gpu.requestAdapter()
const device = await adapter.requestDevice()
const module = device.createShaderModule({ code: \`@group(0) @binding(0) var<storage, read_write> words: array<f32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) { words[id.x] += 1.0; }\` })
const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module } })
const buffer = device.createBuffer({ size: 4096, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC })
const readback = device.createBuffer({ size: 4096, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST })
const bindGroup = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries: [{ binding: 0, resource: { buffer } }] })
for (let step = 0; step < ${String(SUBMITS)}; step += 1) {
  const encoder = device.createCommandEncoder()
  const pass = encoder.beginComputePass()
  pass.setPipeline(pipeline)
  pass.setBindGroup(0, bindGroup)
  pass.dispatchWorkgroups(16)
  pass.end()
  encoder.copyBufferToBuffer(buffer, 0, readback, 0, 4096)
  device.queue.submit([encoder.finish()])
  await readback.mapAsync(GPUMapMode.READ)
  readback.unmap()
}`
/**
 * Pages that work against a recorder, before and after the same work: what each does, and what of
 * the command's words tells of it.
 */
const HOSTILE = {
  '/patches-asks-loses': {
    script: `for (const [{ prototype }, name] of [[GPUQueue, 'submit'], [GPUBuffer, 'mapAsync']]) {
  const before = prototype[name]
  prototype[name] = function (...args) { return before.apply(this, args) }
}
performance.now = () => 5
Performance.prototype.now = () => NaN
Math.round = () => 7
globalThis.btoa = () => 'none'
Array.prototype[Symbol.iterator] = function* () { for (let at = 0; at < this.length; at += 1) yield this[at] }
${WORK}
alert('here?')
confirm('sure?')
queueMicrotask(() => device.destroy())
device.queue.submit([])
setTimeout(() => { globalThis.isDone = true }, 500)`,
    said: ['The page has replaced GPUBuffer.mapAsync, GPUQueue.submit:', 'Not recorded: '],
  },
  '/records-itself': {
    script: `import('/recorder.js').then(({ start }) => start())
await import('/recorder.js')
${WORK}
device.createBuffer({ size: 4, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.STORAGE })
new Worker('data:text/javascript,thisIsNotThere').onerror = () => setTimeout(() => { globalThis.isDone = true }, 500)`,
    said: [
      'note: the page threw Error: This page is being recorded already. (http',
      'note: the page was warned: Buffer usages ',
      'note: the page threw ReferenceError: thisIsNotThere is not defined',
    ],
  },
  '/never-yields': {
    script: `${WORK}\nconst turn = () => { setTimeout(turn); for (;;) ; }\nturn()`,
    said: ['never yielded to its events'],
  },
} as const
const FILES: Readonly<Record<string, string>> = {
  '/worker.js': `(async () => { ${WORK}\npostMessage('done') })()`,
  '/outer.js': `new Worker('/worker.js').onmessage = ({ data }) => postMessage(data)`,
  '/workers': `<!doctype html><button>go</button><script nonce="a">
const policy = trustedTypes.createPolicy('own', { createScriptURL: (url) => url })
document.querySelector('button').onclick = () => new Worker(policy.createScriptURL('/outer.js')).onmessage = () => { globalThis.isDone = true }</script>`,
  '/inner': `<!doctype html><script type="module">${WORK}\nparent.postMessage('done', '*')</script>`,
  '/plain': '<!doctype html>',
  '/dies': `<!doctype html><script type="module">${WORK}
device.lost.then(({ reason }) => fetch('/lost?' + reason))
setTimeout(() => fetch('/worked'), ${String(KEPT_MS)})</script>`,
  ...Object.fromEntries(
    Object.entries(HOSTILE).map(([page, { script }]) => [
      page,
      `<!doctype html><script type="module">${script}</script>`,
    ]),
  ),
  '/frames': `<!doctype html><script>globalThis.label = Symbol.for('host-device-lab.recorder') in globalThis ? 'recorded' : 'too late'</script>
<script type="module">
const adapter = await navigator.gpu.requestAdapter()
const device = await adapter.requestDevice()
const texture = device.createTexture({ size: [4, 4], format: 'rgba8unorm', usage: GPUTextureUsage.RENDER_ATTACHMENT })
const submits = Number(new URLSearchParams(location.search).get('submits'))
let left = ${String(FRAMES)}
const draw = () => {
  const buffer = device.createBuffer({ size: 256, usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST })
  for (let write = 0; write < 20; write += 1) device.queue.writeBuffer(buffer, 0, new Float32Array(14))
  for (let each = 0; each < submits; each += 1) {
    const encoder = device.createCommandEncoder()
    encoder.beginRenderPass({ label, colorAttachments: [{ view: texture.createView(), loadOp: 'clear', storeOp: 'store' }] }).end()
    device.queue.submit([encoder.finish()])
  }
  buffer.destroy()
  left -= 1
  if (left > 0) requestAnimationFrame(draw)
  else requestAnimationFrame(() => { globalThis.isDone = true })
}
requestAnimationFrame(draw)
</script>`,
}

/** Called when '/dies' has done its work. */
let whenWorked = (): void => undefined
let recorder = ''
test.beforeAll(async () => {
  recorder = await recorderScript('es')
})
const port = serving(({ url = '' }, response) => {
  if (url === '/worked') whenWorked()
  response.setHeader('content-type', url.endsWith('.js') ? 'text/javascript' : 'text/html')
  if (url === '/workers')
    response.setHeader(
      'content-security-policy',
      "default-src 'self'; script-src 'self' 'nonce-a'; require-trusted-types-for 'script'",
    )
  const frame = `<!doctype html><script>onmessage = () => { globalThis.isDone = true }</script><iframe src="http://127.0.0.1:${String(port())}/inner"></iframe>`
  const files: typeof FILES = { ...FILES, '/frame': frame, '/recorder.js': recorder }
  response.end(files[url.split('?')[0] ?? ''] ?? '')
})

const record = (page: string, args: readonly string[]) =>
  command([
    'cli/lab.mjs',
    'record',
    `http://localhost:${String(port())}${page}`,
    '--adapter',
    'software',
    ...args,
  ])

test('a worker of a worker: each submit is recorded, with what to look at first', async () => {
  const out = test.info().outputPath('out')
  const until = ['--until', 'globalThis.isDone', '--seconds', '60']
  const ended = await record('/workers', ['--click', 'button', ...until, '--out', out])
  expect([ended.stderr, ended.code]).toEqual(['', 0])
  const { report } = await recordedIn(out)
  expect(report).toMatchObject({
    submits: SUBMITS,
    passes: { compute: SUBMITS, render: 0 },
    waits: [{ role: 'wait-map', count: SUBMITS }],
    rejected: {},
  })
  expect(report.url).toContain('/worker.js')
  const read = report.findings.find(({ lesson }) => lesson === 'sync-stalls')
  expect(read?.lines[0]).toContain('/worker.js')
  expect(ended.stdout).toContain('Lesson: sync-stalls.')
})

test('a frame of another site: its submits are recorded', async () => {
  const out = test.info().outputPath('out')
  const ended = await record('/frame', ['--until', 'globalThis.isDone', '--seconds', '60', '--out', out])
  expect([ended.stderr, ended.code]).toEqual(['', 0])
  const { report } = await recordedIn(out)
  expect(report.submits).toBe(SUBMITS)
  expect(report.url).toContain('/inner')
})

for (const [page, { said }] of Object.entries(HOSTILE))
  // One page changes what the recorder stands on, one has it itself, and one gives no turn to its
  // events.
  test(`${page}: the recording ends with all until then, and says what it could not have`, async () => {
    const out = test.info().outputPath('out')
    // Where nothing else runs, it can't be asked whether it is done.
    const limit =
      page === '/never-yields' ? ['--seconds', '6'] : ['--until', 'globalThis.isDone', '--seconds', '60']
    const ended = await record(page, [...limit, '--out', out])
    expect(ended.code).toBe(0)
    for (const words of said) expect(`${ended.stderr}${ended.stdout}`).toContain(words)
    const { report, trace } = await recordedIn(out)
    expect(report.submits).toBe(SUBMITS + (page === '/patches-asks-loses' ? 1 : 0))
    expect(report.passes.compute).toBe(SUBMITS)
    const { start, end, length } = trace.spans
    let reversed = 0
    for (let span = 0; span < length; span += 1) reversed += Number((end[span] ?? 0) < (start[span] ?? 0))
    expect(reversed).toBe(0)
    expect(new Set(start.subarray(0, length)).size).toBeGreaterThan(SUBMITS)
  })

/**
 * Of the processes that this one started, and those that they started: of the browser's kinds, the
 * one given.
 */
function processesOf(kind: string): readonly number[] {
  const all = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s(.*)$/.exec(line) ?? [])
    .map(([, pid, parent, args = '']) => ({ pid: Number(pid), parent: Number(parent), args }))
  const below = new Set([process.pid])
  for (let before = 0; before !== below.size;) {
    before = below.size
    for (const { pid, parent } of all) if (below.has(parent)) below.add(pid)
  }
  const isOf = new RegExp(`lab-record-.*--type=${kind}\\b|--type=${kind}\\b.*lab-record-`)
  return all.filter(({ pid, args }) => below.has(pid) && isOf.test(args)).map(({ pid }) => pid)
}

// A page that crashes: cli/page-targets.test.
test(
  'the GPU process dies: the recording says so first, has all until then, and exits with 1',
  LONG,
  async () => {
    const out = test.info().outputPath('out')
    let killed = 0
    whenWorked = () => {
      for (const pid of processesOf('gpu-process')) {
        process.kill(pid, 'SIGKILL')
        killed += 1
      }
    }
    const ended = await record('/dies', ['--seconds', '8', '--out', out])
    whenWorked = () => undefined
    expect(killed).toBeGreaterThan(0)
    expect(ended.code).toBe(1)
    expect(ended.stdout).toMatch(/^page http\S+\nA device was lost: /m)
    const { report } = await recordedIn(out)
    expect(report).toMatchObject({ submits: SUBMITS, passes: { compute: SUBMITS } })
    expect(report.waits).toMatchObject([{ role: 'wait-map', count: SUBMITS }])
  },
)

test('the package records a page where nothing of the lab is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lab-package-'))
  try {
    expect((await command(['cli/build-cli.mjs', '--out', folder])).code).toBe(0)
    const page = `http://localhost:${String(port())}/frames?submits=1`
    const args = ['--until', 'globalThis.isDone', '--adapter', 'software', '--out', 'out']
    const ended = await command(['host-device-lab.mjs', 'record', page, ...args], process.env, folder)
    expect([ended.stderr, ended.code]).toEqual(['', 0])
    expect((await readdir(join(folder, 'out'))).toSorted()).toEqual([
      'report.json',
      'run.hdl.gz',
      'trace.json',
    ])
    expect((await recordedIn(join(folder, 'out'))).report).toMatchObject({ submits: FRAMES })
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('a page without WebGPU is one line, and exit code 1', async () => {
  const ended = await record('/plain', ['--seconds', '1', '--out', test.info().outputPath('out')])
  expect(ended).toMatchObject({ code: 1, stdout: '' })
  expect(ended.stderr).toMatch(
    /^error: .* used no WebGPU: no adapter was asked for\. If it begins later than 1 s, record longer with --seconds\.\n$/,
  )
})

test('a page’s frames are counted and held to a budget, from the page’s first line on', async () => {
  const out = test.info().outputPath('out')
  const until = ['--until', 'globalThis.isDone', '--seconds', '60']
  const first = await record('/frames?submits=3', [
    ...until,
    '--out',
    out,
    '--fail-if',
    'submitsPerFrame > 2',
  ])
  expect([first.stderr, first.code]).toEqual(['', 1])
  expect(first.stdout).toContain("'submitsPerFrame > 2' holds: submitsPerFrame is 3.\n   at http")
  const { report, trace } = await recordedIn(out)
  expect(report).toMatchObject({
    submits: 3 * FRAMES,
    passes: { compute: 0, render: 3 * FRAMES },
    uploads: { 'writeBuffer calls': 20 * FRAMES, 'writeBuffer bytes': 20 * 56 * FRAMES },
    frames: { submitting: FRAMES },
    figures: {
      submitsPerFrame: 3,
      smallWritesPerFrame: 20,
      buffersMadePerFrame: 1,
      buffersDestroyedPerFrame: 1,
    },
  })
  for (const what of ['A frame makes 20 writes', 'A frame makes 1 buffer.', 'A frame submits 3 times.'])
    expect(report.findings.find((finding) => finding.what.startsWith(what))?.lines[0]).toContain('/frames')
  expect(trace.strings.filter((name) => name === 'recorded' || name === 'too late')).toEqual(['recorded'])
})
