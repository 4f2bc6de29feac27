/** A stopwatch around the call that launches a product, in PyTorch: the call itself, beside the kernel. */
import type { RecordedSide } from '../recorded'

const QUEUED = 'torch-async-submission-queued.json.gz'

export const asyncSubmissionRecorded: RecordedSide = {
  files: [QUEUED],
  headlines: [
    {
      metric: 'submit-us',
      file: QUEUED,
      sameScale: true,
      figure: (recorded) => {
        const { launchUs = null, kernelMs = null } = recorded.profile(QUEUED) ?? {}
        if (launchUs === null || kernelMs === null) return null
        return {
          value: launchUs,
          unit: 'us',
          words: `in PyTorch: the call of \`c.addmm_(a, b)\`, timed by its profiler. The kernel took ${recorded.say(kernelMs, 'ms')}.`,
        }
      },
    },
  ],
}
