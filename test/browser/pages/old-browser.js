// Takes away what Safari 14.1, Chrome 87 or Firefox 78 lack, as far as the script of a form could use it.
(() => {
  const missing = [
    [AbortSignal, ['any', 'timeout']],
    [Array.prototype, ['at', 'findLast', 'findLastIndex', 'toReversed', 'toSorted', 'toSpliced', 'with']],
    [Crypto.prototype, ['randomUUID']],
    [Element.prototype, ['role', 'ariaInvalid', 'ariaDescribedByElements', 'checkVisibility']],
    [HTMLElement.prototype, ['attachInternals', 'inert', 'popover']],
    [HTMLFormElement.prototype, ['requestSubmit']],
    [self.Iterator?.prototype, ['every', 'filter', 'find', 'flatMap', 'forEach', 'map', 'some', 'toArray']],
    [Object, ['groupBy', 'hasOwn']],
    [Promise, ['any', 'try', 'withResolvers']],
    [String.prototype, ['at']],
    [SubmitEvent.prototype, ['submitter']],
    [Object.getPrototypeOf(Uint8Array.prototype), ['at', 'findLast', 'toSorted', 'with']],
    [URLSearchParams.prototype, ['size']],
    [self, ['reportError', 'structuredClone', 'Iterator', 'WeakRef']],
  ];
  for (const [owner = {}, names] of missing) for (const name of names) delete owner[name];

  // They ignore the button that is the second argument.
  self.FormData = new Proxy(FormData, { construct: (FormData, [form]) => new FormData(form) });
})();
