/** Uploads and readbacks of one size with nothing else in them, each awaited: what the rule of thumb calls the bandwidth. */
import { USAGE, type RunContext } from '../../engine'
import { fillValue } from '../../kernels/data/fill'
import type { Verification } from '../../trace/report'

const SEED = 3
const SAMPLES = 64
/** Words by which one upload's content is shifted against the last one's: a readback of old content is found. */
const SHIFT_WORDS = 257
const SHIFTS = 8

export interface Transfers {
  readonly begin: () => Promise<void>
  readonly end: () => Promise<void>
  readonly upload: () => Promise<void>
  readonly readBack: () => Promise<void>
  /** The last readback against the last upload, sampled words, bit for bit. */
  readonly check: () => Verification
}

export async function openTransfers(context: RunContext, sizeBytes: number): Promise<Transfers> {
  const { queue, recorder } = context
  const words = sizeBytes / 4
  const source = new Float32Array(words + SHIFTS * SHIFT_WORDS)
  for (let index = 0; index < source.length; index += 1) source[index] = fillValue(index, SEED)
  const target = await context.buffer('transfer target', sizeBytes, USAGE.copySrc | USAGE.copyDst)
  const staging = await context.stagingRing(1, sizeBytes)
  const readback = await context.readbackRing(1, sizeBytes)
  let shift = 0
  let got = new Float32Array(0)

  return {
    begin: () => staging.begin(1),
    end: () => staging.end(),
    upload: async () => {
      const { tag } = recorder
      const slot = await staging.acquire()
      recorder.tag = tag
      shift = ((shift / SHIFT_WORDS + 1) % SHIFTS) * SHIFT_WORDS
      staging.fill(slot, sizeBytes, (range) => {
        new Float32Array(range).set(source.subarray(shift, shift + words))
      })
      const encoding = queue.encode('upload')
      staging.encodeCopy(encoding, slot, target, sizeBytes)
      const submission = queue.submit('upload', [encoding])
      staging.release(slot, submission)
      await queue.wait(submission)
    },
    readBack: async () => {
      const encoding = queue.encode('readback')
      const copied = readback.encodeCopy(encoding, target, 0, sizeBytes)
      got = new Float32Array(await readback.read(copied, queue.submit('readback', [encoding]), sizeBytes))
    },
    check: () => {
      let failed = 0
      for (let sample = 0; sample < SAMPLES; sample += 1) {
        // First and last word among them.
        const word = Math.round((sample * (words - 1)) / (SAMPLES - 1))
        if (!Object.is(got[word], source[shift + word])) failed += 1
      }
      return {
        checked: SAMPLES,
        failed,
        maxRelativeError: 0,
        tolerance: 0,
        what: 'words of what was uploaded and read back, bit for bit',
      }
    },
  }
}
