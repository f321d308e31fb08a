-- internal/piece: a piece of whole, where ${condition}.
${condition}
and b = :second;
