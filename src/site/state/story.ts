/** Some steps of a lesson's run: which variants are drawn, and the names that the page uses of what analysis finds. */
import { tellStory, type Story, type StoryIdle, type StoryRow, type StoryStrip } from '../../analysis/story'
import type { StoryPlan } from '../../lessons/lesson'
import { REPEAT_NONE } from '../../trace/schema'
import type { RunState } from './run-store'

export { changesIn, momentOf } from '../../analysis/story'
export type {
  Moment,
  Story,
  StoryBar,
  StoryDepth,
  StoryIdle,
  StoryMessage,
  StoryRow,
  StoryStrip,
} from '../../analysis/story'

const MOST = 3

function measuredIn({ placed }: RunState): ReadonlySet<string> {
  const measured = new Set<string>()
  if (!placed) return measured
  const { spans, strings } = placed.trace
  for (let span = 0; span < spans.length; span += 1)
    if ((spans.repeat[span] ?? REPEAT_NONE) >= 0) measured.add(strings[spans.variant[span] ?? -1] ?? '')
  measured.delete('')
  return measured
}

/** Those of the plan that were measured; of a run without any of them the first, the middle and the last that were. */
function variantsOf(run: RunState, { variants }: StoryPlan): readonly string[] {
  const measured = measuredIn(run)
  const planned = variants.filter((variant) => measured.has(variant))
  if (planned.length > 0) return planned
  // In the report's order: a part of the trace, as a link has it, may begin with another.
  const inReport = (run.report?.metrics ?? []).map(({ variant }) => variant)
  const all = [...new Set([...inReport, ...measured])].filter((variant) => measured.has(variant))
  return all.length <= MOST ? all : [0, all.length >> 1, all.length - 1].flatMap((index) => all[index] ?? [])
}

/** Null where nothing was recorded. `leastNs`: as long as another that it is laid beside. */
export const storyOf = (run: RunState, plan: StoryPlan, leastNs = 0): Story | null =>
  run.placed &&
  tellStory(run.placed, variantsOf(run, plan), {
    steps: plan.steps,
    isSteady: plan.isSteady,
    gaps: run.gaps,
    leastNs,
  })

/** What is told of the run before one, so that the same is compared: `of` names what stands for a variant there. Null: it has none of them. */
export function planBefore(
  before: RunState,
  after: RunState,
  plan: StoryPlan,
  of: (variant: string) => string,
): StoryPlan | null {
  const measured = measuredIn(before)
  const variants = variantsOf(after, plan)
    .map(of)
    .filter((variant) => measured.has(variant))
  return variants.length > 0 ? { ...plan, variants } : null
}

/** When the device of a row had nothing to do: of several ranks one computes while another is idle. */
export const idleOf = (
  { idle }: Pick<StoryStrip, 'idle'>,
  { group }: Pick<StoryRow, 'group'>,
): readonly StoryIdle[] => idle.filter((each) => each.group === group)

/** Idle time that is drawn filled: what is narrower than two pixels is no figure, and would only blur the passes. */
export const drawnIdle = (idle: readonly StoryIdle[], pxPerNs: number): readonly StoryIdle[] =>
  idle.filter(({ startNs, endNs }) => (endNs - startNs) * pxPerNs >= 2)
