/**
 * One block by its name, and how much of its time is left: for fingers, and for blocks too short to
 * be caught.
 */
import type { HostBlock } from '../../../analysis/replay/blocks'
import { durationText } from '../../../base/figures'
import { Words } from '../../ui/verdict/Words'
import { blockName, percent } from './words'

export interface BlockControlProps {
  readonly blocks: readonly HostBlock[]
  /** Indices, most time first. */
  readonly choices: readonly number[]
  readonly block: number
  /** 'a step'. */
  readonly step: string
  readonly share: number
  readonly onBlock: (block: number) => void
  readonly onShare: (share: number) => void
}

export const BlockControl = ({
  blocks,
  choices,
  block,
  step,
  share,
  onBlock,
  onShare,
}: BlockControlProps) => {
  const own = blocks[block]
  if (!own) return null
  const named = blockName(own)
  return (
    <div className="block-control cluster-8-12">
      <label className="cluster-8-12">
        <span>Host code</span>
        <select value={block} onChange={(event) => onBlock(Number(event.target.value))}>
          {choices.map((at) => {
            const each = blocks[at]
            return (
              each && (
                <option key={at} value={at}>
                  {blockName(each)}: {durationText(each.nsPerStep)} of {step}
                </option>
              )
            )
          })}
        </select>
      </label>
      <input
        type="range"
        min={0}
        max={100}
        step={5}
        value={Math.round(100 * share)}
        aria-label={`What is left of ${named}`}
        aria-valuetext={percent(share)}
        onChange={(event) => onShare(event.target.valueAsNumber / 100)}
      />
      <output className="tabular nowrap">
        <Words text={`${percent(share)} of its time`} />
      </output>
    </div>
  )
}
