import { placeUnder } from '../edits'
import type { Rule } from '../rule'

const TRAINS =
  'import torch\nfrom torch.utils.data import DataLoader\nmodel = torch.nn.Linear(8, 8).cuda()\nfor x in loader:\n    model(x.cuda()).sum().backward()\n'

export const gradientsInEvaluationRule: Rule = {
  id: 'gradients-in-evaluation',
  kind: 'launches',
  title: 'Evaluation builds an autograd graph that nobody uses',
  why: 'Without `torch.no_grad()` the forward pass keeps every activation for a `backward()` that does not come.',
  unless: 'It does not matter if you differentiate later.',
  instead:
    'Put the loop under `with torch.inference_mode():`, or `torch.no_grad()` if its outputs are used in training later.',
  cause: 'dispatch',
  sources: [
    'https://docs.pytorch.org/docs/stable/generated/torch.autograd.grad_mode.inference_mode.html',
    'https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html#disable-gradient-calculation-for-validation-or-inference',
  ],
  heat: 'evaluate',
  on: {
    call: ({ node, receiver, method }, at) => {
      const called =
        node.callee.kind === 'name' ? at.valueOf(node.callee.name) : method === null ? receiver : null
      const isModel =
        called?.kind === 'thing' &&
        called.role === 'module' &&
        called.where === 'gpu' &&
        !called.path.endsWith('Loss')
      const loop = at.loops.at(-1)
      return isModel && at.hasGradients && loop
        ? { node, fix: placeUnder(at, loop, 'with torch.inference_mode():') }
        : null
    },
  },
  matches: [`${TRAINS}for a, b in DataLoader(held_out):\n    guess = model(a.cuda())\n`],
  misses: [
    `${TRAINS}with torch.no_grad():\n    for a, b in DataLoader(held_out):\n        guess = model(a.cuda())\n`,
    `${TRAINS}@torch.no_grad()\ndef evaluate(model, loader):\n    for a, b in loader:\n        guess = model(a.cuda())\n`,
  ],
}
