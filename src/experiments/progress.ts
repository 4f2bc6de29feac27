/** How far a run is, for whoever watches it. */

export interface Progress {
  /** 0 to 1. */
  readonly fraction: number
  /** 'calibrating', 'verifying', 'warm-up', 'every-4, repeat 2 of 5'. */
  readonly message: string
  readonly variant: string
  readonly repeat: number
  /** Names of the code regions that run now (lesson code blocks label their lines with these). */
  readonly region?: 'setup' | 'encode' | 'submit' | 'wait' | 'read' | 'fill' | 'done'
}
