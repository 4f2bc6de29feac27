/** The few things one does to a timeline without a mouse over it. Each button says its key. */
import { type ReactNode, useId } from 'react'
import {
  type CommandName,
  type Direction,
  KEY_HELP,
  keyFor,
  type KeyHelp,
  POINTER_HELP,
  type Timeline,
} from '../../../timeline'
import { Button } from '../Button'

const ICONS = {
  minus: 'M3.5 8h9',
  plus: 'M3.5 8h9M8 3.5v9',
  previous: 'M10 3.5 5.5 8l4.5 4.5',
  next: 'M6 3.5 10.5 8 6 12.5',
} as const

const Icon = ({ name }: { readonly name: keyof typeof ICONS }) => (
  <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
    <path
      d={ICONS[name]}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
)

interface ActionProps {
  readonly timeline: Timeline | null
  readonly command: CommandName
  readonly way?: Direction
  readonly label: string
  readonly disabled?: boolean
  readonly pressed?: boolean
  readonly children?: ReactNode
}

/** Its words are its label, where it shows nothing else. */
const Action = ({
  timeline,
  command,
  way = 1,
  label,
  disabled = false,
  pressed,
  children = label,
}: ActionProps) => (
  <Button
    look="timeline"
    label={children}
    aria-label={label}
    title={`${label} (${keyFor(command, way)})`}
    aria-pressed={pressed}
    disabled={disabled}
    onClick={() => timeline?.run(command, way)}
  />
)

const Keys = ({ rows }: { readonly rows: readonly KeyHelp[] }) => (
  <dl className="tl-keys">
    {rows.map(({ keys, does }) => (
      <div key={does}>
        <dt>
          {keys.map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
        </dt>
        <dd>{does}</dd>
      </div>
    ))}
  </dl>
)

export interface ToolbarProps {
  readonly timeline: Timeline | null
  readonly live: boolean
  readonly following: boolean
  readonly gapCount: number
  /** The help's element, so that the ? key can open it too. */
  readonly helpId: string
  /** Left out: there is no critical path to ask for. */
  readonly path?: { readonly isShown: boolean; readonly isReady: boolean }
  /** Before the buttons. */
  readonly search?: ReactNode
  readonly children: ReactNode
}

export const Toolbar = (props: ToolbarProps) => {
  const { timeline, live, following, gapCount, helpId, path, search, children } = props
  const titleId = useId()
  return (
    <div className="tl-toolbar cluster-8-16 split">
      <div className="row shrinks">{children}</div>
      {search}
      <div className="tl-buttons cluster" role="toolbar" aria-label="Timeline view">
        <div className="tl-button-group">
          <Action timeline={timeline} command="zoom" way={-1} label="Zoom out">
            <Icon name="minus" />
          </Action>
          <Action timeline={timeline} command="zoom" label="Zoom in">
            <Icon name="plus" />
          </Action>
        </div>
        <div className="tl-button-group">
          <Action timeline={timeline} command="whole" label="Whole run" />
          <Action timeline={timeline} command="round" label="One round" />
          {live && <Action timeline={timeline} command="follow" label="Follow" pressed={following} />}
        </div>
        <div className="tl-button-group">
          <Action timeline={timeline} command="gap" way={-1} label="Previous gap" disabled={gapCount === 0}>
            <Icon name="previous" />
          </Action>
          <span className="tl-button-caption quiet" aria-hidden="true">
            gap
          </span>
          <Action timeline={timeline} command="gap" label="Next gap" disabled={gapCount === 0}>
            <Icon name="next" />
          </Action>
        </div>
        {path && (
          <Action
            timeline={timeline}
            command="path"
            label="Critical path"
            pressed={path.isShown}
            disabled={!path.isReady}
          />
        )}
        <Button
          look="timeline"
          label="?"
          popoverTarget={helpId}
          aria-label="Keys and gestures"
          title="Keys and gestures (?)"
        />
      </div>
      <div id={helpId} className="tl-help" popover="auto" role="dialog" aria-labelledby={titleId}>
        <h3 id={titleId}>Keys and gestures</h3>
        <p>Keys work while the timeline has focus.</p>
        <Keys rows={KEY_HELP} />
        <Keys rows={POINTER_HELP} />
        <Button look="timeline" label="Close" popoverTarget={helpId} popoverTargetAction="hide" />
      </div>
    </div>
  )
}
