/**
 * Ratios that are read as 'times as long', not as a share of something, by name. The declarations say the same, and a test holds this list
 * to them: whoever writes a figure needs no declaration for it.
 */
export const FACTOR_NAMES: ReadonlySet<string> = new Set([
  'best-speedup',
  'best-step-speedup',
  'device-slowdown',
  'later',
  'lead',
  'making-load',
  'pace',
  'reserve-gain',
  'rule-factor',
  'rule-latency-factor',
  'slowdown',
  'speedup',
  'step-speedup-limit',
  'versus-ideal',
  'with-waits',
])
