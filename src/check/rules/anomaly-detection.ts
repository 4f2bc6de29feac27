import { isTrue } from '../flow/torch'
import { removeStatement } from '../edits'
import type { Rule } from '../rule'

export const anomalyDetectionRule: Rule = {
  id: 'anomaly-detection',
  kind: 'blocks',
  title: 'Anomaly detection checks every gradient for NaN',
  why: '`detect_anomaly` reads a flag from the GPU after each backward function, and records a stack trace in the forward pass.',
  unless: 'It does not matter while you look for a NaN.',
  instead: 'Remove it when you have found the NaN.',
  cause: 'read-back',
  sources: [
    'https://docs.pytorch.org/docs/stable/autograd.html#anomaly-detection',
    'https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html#disable-debugging-apis',
  ],
  heat: 'any',
  on: {
    call: ({ node, path, args, named }, at) => {
      const isOn =
        path === 'torch.autograd.set_detect_anomaly' && isTrue(args[0] ?? named.get('mode')) === true
      const isWith =
        path === 'torch.autograd.detect_anomaly' || path === 'torch.autograd.anomaly_mode.detect_anomaly'
      return isOn || isWith
        ? { node, fix: isOn && at.statement.kind === 'expression' ? removeStatement(at) : [] }
        : null
    },
  },
  matches: [
    'torch.autograd.set_detect_anomaly(True)',
    'with torch.autograd.detect_anomaly():\n    loss = loss * 2',
  ],
  misses: ['torch.autograd.set_detect_anomaly(False)', 'torch.autograd.set_detect_anomaly(args.debug)'],
}
