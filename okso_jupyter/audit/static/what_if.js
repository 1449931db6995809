(data) => {
  // The script is called where it stands: several panels on one page know nothing of each other.
  const panel = document.currentScript?.closest(".okso-what-if");
  if (!panel || panel.querySelector("input")) return;
  const { rules, candidates } = data;
  const weights = rules.map((rule) => rule.weight);
  const said = panel.querySelector(".okso-said");
  const rows = [...panel.querySelectorAll(".okso-weights tbody tr")];
  const ranking = panel.querySelector(".okso-ranking tbody");
  const holdsHead = panel.querySelector(".okso-weights thead th:last-child");

  const make = (name, attributes = {}, text = "") => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.textContent = text;
    return element;
  };
  // JupyterLab's shortcuts would take the arrow keys, and respect this on the element alone.
  const ownKeys = { "data-lm-suppress-shortcuts": "true" };
  // As Python prints four figures; the twelve before take the noise of floats away.
  const shown = (number) => String(Number(Number(number.toPrecision(12)).toPrecision(4)) + 0);

  // The scorer adds the points of the rules in their order; so does this, to the last bit.
  const score = (candidate, place = -1) =>
    candidate.points.reduce(
      (sum, points, other) => (other === place ? sum : sum + points * weights[other]),
      0,
    );
  const winsTies = (one, other) => one.tie > other.tie || (one.tie === other.tie && one.index < other.index);
  const ranked = () =>
    candidates
      .map((candidate) => ({ candidate, score: score(candidate) }))
      .sort((a, b) => b.score - a.score || (winsTies(a.candidate, b.candidate) ? -1 : 1));

  // The weights of one rule under which a candidate wins, as intervals.py reckons them.
  const interval = (winner, place) => {
    let low = { at: rules[place].floor, inside: true };
    let high = { at: Infinity, inside: false };
    for (const rival of candidates) {
      if (rival === winner) continue;
      const slope = winner.points[place] - rival.points[place];
      if (slope === 0) continue;
      const at = (score(rival, place) - score(winner, place)) / slope;
      const inside = winsTies(winner, rival);
      if (slope > 0 && (at > low.at || (at === low.at && !inside))) low = { at, inside };
      if (slope < 0 && (at < high.at || (at === high.at && !inside))) high = { at, inside };
    }
    return { low, high };
  };
  const inWords = ({ low, high }) => {
    const end = `${high.inside ? "to" : "to below"} ${shown(high.at)}`;
    if (low.at === high.at) return `exactly ${shown(low.at)}`;
    if (low.at === 0 && low.inside) {
      return high.at === Infinity ? "any weight" : `${high.inside ? "up to" : "below"} ${shown(high.at)}`;
    }
    if (high.at === Infinity) {
      return low.inside ? `${shown(low.at)} or more` : `above ${shown(low.at)}`;
    }
    return `${low.inside ? "from" : "above"} ${shown(low.at)} ${end}`;
  };

  const sentence = (order) => {
    const first = order[0];
    const would = first.candidate.rank === 1 ? "wins" : "would win";
    const head = `Candidate ${first.candidate.index} ${would} with ${shown(first.score)} points`;
    const second = order.find(({ candidate }) => candidate.twin !== first.candidate.twin);
    if (!second) return `${head}; the others are the same plan.`;
    const lead = first.score - second.score;
    const ahead = lead ? `${shown(lead)} more than` : "as many as";
    return `${head}, ${ahead} candidate ${second.candidate.index}.`;
  };
  const isAsInRun = () => rules.every((rule, place) => weights[place] === rule.weight);

  const showRanking = (order) => {
    ranking.replaceChildren(
      ...order.map(({ candidate, score: points }, place) => {
        const row = make("tr", place === 0 ? { "aria-current": "true" } : {});
        const texts = [place + 1, candidate.index, shown(points), candidate.rank, candidate.plan];
        row.append(...texts.map((text) => make("td", {}, String(text))));
        return row;
      }),
    );
  };
  const showWeights = (order) => {
    const winner = order[0].candidate;
    const asInRun = isAsInRun();
    holdsHead.textContent = `Candidate ${winner.index} wins at`;
    rules.forEach((rule, place) => {
      const words = asInRun ? rule.holds : inWords(interval(winner, place));
      rows[place].querySelector(".okso-holds").textContent = words;
      rows[place].querySelector(".okso-weight").textContent = shown(weights[place]);
      sliders[place].setAttribute(
        "aria-valuetext",
        `${shown(weights[place])}, candidate ${winner.index} wins at ${words}`,
      );
    });
  };
  const show = () => {
    const order = ranked();
    said.textContent = sentence(order);
    showRanking(order);
    showWeights(order);
    const changed = rules.flatMap((rule, place) => (weights[place] === 1 ? [] : [[rule.name, weights[place]]]));
    setting.textContent = `SCORE_WEIGHTS=${JSON.stringify(Object.fromEntries(changed))}`;
    reset.disabled = isAsInRun();
  };

  const sliders = rules.map((rule, place) => {
    const slider = make("input", {
      type: "range",
      min: rule.floor,
      max: rule.reach,
      step: 0.05,
      "aria-label": `Weight of ${rule.name}`,
      ...ownKeys,
    });
    slider.value = rule.weight;
    slider.addEventListener("input", () => {
      weights[place] = Number(slider.value);
      show();
    });
    const cell = make("td");
    cell.append(slider);
    rows[place].querySelector("th").after(cell);
    return slider;
  });
  panel.querySelector(".okso-weights thead th").after(make("th", { scope: "col" }, "Slider"));

  const reset = make("button", { type: "button", ...ownKeys }, "Reset to the weights of the run");
  const setting = make("code");
  reset.addEventListener("click", () => {
    rules.forEach((rule, place) => {
      weights[place] = rule.weight;
      sliders[place].value = rule.weight;
    });
    show();
    sliders[0].focus(); // a disabled button would lose the focus to the page
  });
  const tools = make("div", { class: "okso-tools" });
  tools.append(reset, setting);
  panel.querySelector(".okso-weights").after(tools);
  show();
}
