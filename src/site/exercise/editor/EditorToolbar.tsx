/** The row above the editor: what was done is undone, the start comes back, the change is shown; and whether the code is kept. */
import type { Code } from '../store'
import type { EditorHistory } from './code-editor-props'
import { Button } from '../../ui/Button'
import './editor.css'

export interface EditorToolbarProps {
  readonly code: Code
  readonly history: EditorHistory
  readonly showsDiff: boolean
  readonly onUndo: () => void
  readonly onRedo: () => void
  /** Asks nothing: undo brings the text back, and so does 'Bring my text back'. */
  readonly onReset: () => void
  readonly onBringBack: () => void
  readonly onShowDiff: (shows: boolean) => void
}

interface ActionProps {
  readonly label: string
  readonly isOff?: boolean
  readonly isPressed?: boolean
  readonly onPress: () => void
}

/** One that is off keeps the focus: pressing it again and again must not throw the keyboard out. */
const Action = ({ label, isOff = false, isPressed, onPress }: ActionProps) => (
  <Button look="small" label={label} isOff={isOff} aria-pressed={isPressed} onClick={() => onPress()} />
)

export const EditorToolbar = ({
  code: { text, start, discarded, isKept },
  history: { canUndo, canRedo },
  showsDiff,
  onUndo,
  onRedo,
  onReset,
  onBringBack,
  onShowDiff,
}: EditorToolbarProps) => (
  <div className="editor-toolbar cluster split no-print">
    <div className="button-row" role="group" aria-label="Editing">
      <Action label="Undo" isOff={!canUndo} onPress={onUndo} />
      <Action label="Redo" isOff={!canRedo} onPress={onRedo} />
      <Action label="Reset to start" isOff={text === start} onPress={onReset} />
      {discarded !== null && discarded !== text && (
        <Action label="Bring my text back" onPress={onBringBack} />
      )}
      <Action label="Show my changes" isPressed={showsDiff} onPress={() => onShowDiff(!showsDiff)} />
    </div>
    <p className={`small ${isKept ? 'quiet' : 'warn'}`} role="status">
      {isKept
        ? 'Kept on this device.'
        : 'Not kept: this browser’s storage is blocked or full. Your code lasts as long as this page.'}
    </p>
  </div>
)
