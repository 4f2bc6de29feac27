/** What the code editor is given. */
import type { Ref } from 'react'
import type { Problem } from '../../../exercises/problem'

export interface EditorHandle {
  readonly undo: () => void
  readonly redo: () => void
  readonly focus: () => void
  /** Moves the caret there and focuses the editor. `line` from 1, `column` from 0. */
  readonly goTo: (line: number, column: number) => void
}

export interface EditorHistory {
  readonly canUndo: boolean
  readonly canRedo: boolean
}

export interface CodeEditorProps {
  readonly language: 'javascript' | 'wgsl'
  /** A change that the editor did not make itself becomes a step of its history: undo brings back what was there. */
  readonly value: string
  /** The program that the exercise begins with: the editor is as high. */
  readonly start: string
  /** The editor's accessible name, as long as it is shown. */
  readonly label: string
  /** Of the text that was last run. They move with it as it changes, until others are passed. */
  readonly problems: readonly Problem[]
  /** From 1; null: none. */
  readonly litLine: number | null
  /** The hue of what the host does in that line. */
  readonly litTone: 'host' | 'wait'
  readonly onChange: (text: string) => void
  /** Ctrl or Cmd with Enter. */
  readonly onRun: () => void
  readonly onHistory: (history: EditorHistory) => void
  readonly ref: Ref<EditorHandle>
}
