self.answer = 42;
console.log('from the worker');
postMessage('works');
