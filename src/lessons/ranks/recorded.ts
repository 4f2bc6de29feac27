/** Ranks in PyTorch: one product on one GPU and on two, and what became of two ranks that both send first. */
import { fieldOf, medianIn, numberIn, type Json, type RecordedSide } from '../recorded'

const FILE = 'torch-ranks.json'

const msOf = (json: Json | null, way: string): number | null => {
  const found = medianIn(json, 'ways', way)?.value ?? 0
  return found > 0 ? found : null
}

export const ranksRecorded: RecordedSide = {
  files: [FILE],
  headlines: [
    {
      metric: 'speedup',
      file: FILE,
      sameScale: true,
      figure: (recorded) => {
        const json = recorded.json(FILE)
        const [one, shared] = [msOf(json, 'oneMs'), msOf(json, 'sharedMs')]
        if (one === null || shared === null) return null
        return {
          value: one / shared,
          unit: 'ratio',
          words: `in PyTorch: two ranks on one GPU had all rows after ${recorded.say(shared, 'ms')}, one rank after ${recorded.say(one, 'ms')}. Gloo gathered them through the CPU.`,
        }
      },
    },
  ],
  carriesOver: (recorded) => {
    const json = recorded.json(FILE)
    const [one, gpus] = [msOf(json, 'oneMs'), msOf(json, 'gpusMs')]
    const [limit, after] = [numberIn(json, 'hang', 'limitS'), numberIn(json, 'hang', 'afterS')]
    const hung = fieldOf(json, 'hang', 'hung') === true
    return [
      ...(one !== null && gpus !== null
        ? [
            `With a GPU for each of two ranks, and NCCL between them, all rows were there after ${recorded.say(gpus, 'ms')} instead of ${recorded.say(one, 'ms')}: ${recorded.say(one / gpus, '×')} as fast.`,
          ]
        : []),
      ...(hung && limit !== null && after !== null
        ? [
            `Two ranks of Gloo that both sent 16 MiB first stood until its limit of ${recorded.say(limit * 1e3, 'ms')} had passed. The first was told after ${recorded.say(after * 1e3, 'ms')}. Gloo waits for a time; it looks at no graph.`,
          ]
        : []),
    ]
  },
}
