const $ = (id) => document.getElementById(id);

const rates = { '19 %': { percent: 19 }, '7 %': { percent: 7 } };

function gross(net, rate) {
  return net * (1 + rates[rate].percent / 100);
}

function show(amount) {
  $('total').textContent = amount.toFixed(2);
}

function workOut() {
  const net = $('net').valueAsNumber;
  show(gross(net, $('rate').selectedOptions[0].value.replace(' ', '')));
}

$('work-out').addEventListener('click', workOut);
