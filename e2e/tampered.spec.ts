/** No verdict says 'shown' where a WebGPU leaves out work or uploads, or stamps nonsense. One that only takes its time: tampered-times.spec. */
import { experiments } from '../cli/catalog'
import { ANYWHERE, expect, LONG, test } from './fixtures'
import type { Tampering } from './tamper'
import { onTamperedPage } from './tampered-page'

/** Experiments that compare kernels by the device's clock alone. */
const NEED_STAMPS = ['kernel-ladder']
/** Ranks of their short runs have no device: what is on none can be neither skipped nor stamped. */
const WITHOUT_DEVICE = ['collectives', 'pipeline-bubble']
/** Their programs run in ranks, and send what they compute to each other. */
const ON_RANKS = [...WITHOUT_DEVICE, 'ranks']
const ALL = experiments.map(({ id }) => id).filter((id) => !WITHOUT_DEVICE.includes(id))
/** Those that have staging buffers: their metrics name an upload, a fill or a transfer. */
const UPLOADING = experiments
  .filter(({ metrics }) => metrics.some(({ name }) => /^(fill|upload|transfer|host-copy)-/.test(name)))
  .map(({ id }) => id)

const reportOf = onTamperedPage()

/**
 * Tags of an experiment that repeats a kind: site/worker/injected.test leaves work out of each, on
 * a fake device.
 */
const ONE_MORE = { tag: [LONG.tag, ANYWHERE.tag] }

for (const id of ['async-submission', ...ON_RANKS])
  // In short one: catalog.spec has all of them valid, where nothing was tampered with either.
  test(`${id}: a valid run where nothing was tampered with`, ON_RANKS.includes(id) ? LONG : {}, async () => {
    const { validity, verification } = await reportOf(id, 'none')
    expect(validity).toEqual({ valid: true, reasons: [] })
    expect(verification.failed).toBe(0)
  })

const invalid = (id: string, tampering: Tampering, why: string, isInShort: boolean) => {
  test(`${id}: invalid where ${why}`, isInShort ? {} : ONE_MORE, async () => {
    const { verdict, verification } = await reportOf(id, tampering)
    expect(verification.failed).toBeGreaterThan(0)
    expect(verdict).toMatchObject({ outcome: 'invalid', reason: 'run-invalid' })
  })
}
/** Products in a loop, a ladder of kernels, ranks. */
const SKIPPED = ['async-submission', 'kernel-ladder', 'ranks']
for (const id of ALL) invalid(id, 'work-skipped', 'every second dispatch is skipped', SKIPPED.includes(id))
for (const id of ON_RANKS)
  invalid(id, 'messages-garbled', 'messages do not arrive as they were sent', id === 'collectives')

test('more than one experiment uploads', () => {
  expect(UPLOADING.length).toBeGreaterThan(1)
})
for (const id of UPLOADING) invalid(id, 'uploads-dropped', 'no upload arrives', id === 'staging-buffers')

const STAMPS = ['stamps-zero', 'stamps-swapped', 'stamps-frozen'] as const
/** Each of the three once: one clock refuses them all (src/trace/clock.test and place.test). What each experiment claims without it is tried in long. */
const IN_SHORT = ['async-submission', 'tensor-residence', ...NEED_STAMPS]
for (const [first, tampering] of STAMPS.entries())
  for (const [index, id] of ALL.entries())
    test(
      `${id}: claims nothing of the device's clock with ${tampering}`,
      index % STAMPS.length === first && IN_SHORT.includes(id) ? {} : ONE_MORE,
      async () => {
        const { verdict, metrics, clock } = await reportOf(id, tampering)
        // With stamps in steps of 65.5 µs a pass that is shorter has no length either way round, and a run of such passes looks the same.
        test.skip(
          tampering === 'stamps-swapped' && test.info().project.name === 'gpu' && clock.state === 'fitted',
          'the passes are too short for the clock’s steps: swapped, their stamps are as before',
        )
        expect(clock.state).not.toBe('fitted')
        for (const { name, variant, origin, value } of metrics)
          if (origin === 'device-clock') expect(value, `${name} ${variant}`).toBeNull()
        // What these are worked out from is the time of passes.
        for (const { name, variant, value } of metrics)
          if (/^(kernel-share|not-kernel-share|rest-ms|completion-lag-ms)$/.test(name))
            expect(value, `${name} ${variant}`).toBeNull()
        expect(verdict.text).not.toMatch(/device was busy|it started ran|NaN|Infinity/)
        if (NEED_STAMPS.includes(id)) expect(verdict.outcome, verdict.text).not.toBe('shown')
      },
    )
