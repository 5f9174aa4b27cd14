import time, numpy as np, domino_env
from typing import Any
from domino_env.compiling import kernel
from domino_env.engine.state import records
from domino_env.engine.move_features.known import KNOWN
from domino_env.engine.move_features.describe import describe_moves
from domino_env.engine.move_features.move_fields import move_fields
@kernel
def describe_lanes(rule_tables, games, logs, legal, num_legal, lanes, table, known, out):
    row = 0
    for place in range(len(lanes)):
        lane: Any = np.uint64(lanes[place])
        describe_moves(rule_tables[0], games[lane], logs[lane], legal[lane], int(num_legal[lane]), table, known[0], out, row)
        row += num_legal[lane]
COMPILED=("x",1)
SC={}
def feats(b, lanes, out):
    if b._games.dtype not in SC: SC[b._games.dtype]=records(1,b._games.dtype), records(1,KNOWN)
    s=SC[b._games.dtype]
    describe_lanes(b._rule_table, b._games, b._logs, b._legal, b._num_legal, lanes, s[0],s[1], out.reshape(-1,out.shape[2]))
if __name__=="__main__":
    for game,n in (("block_draw",1024),("all_fives",1024),("bendomino",1024),("fundomino",1024)):
        b=domino_env.batch(game,n,seed=0); b.reset(); K=len(move_fields(b.setup)); L=b._legal.shape[1]
        out=np.zeros((n,L,K),np.float32); lanes=np.arange(n)
        feats(b,lanes,out)
        for _ in range(20): b.step(b.sample())
        def loop(f, reps=30):
            t=time.process_time(); m=0
            for _ in range(reps):
                b.step(b.sample())
                if f: feats(b,lanes,out)
            return n*reps/(time.process_time()-t)/1e6, m/(n*reps)
        r=[(loop(False),loop(True)) for _ in range(7)]
        a=np.median([x[0][0] for x in r]); c=np.median([x[1][0] for x in r])
        print(game,K,"plain",round(a,2),"with",round(c,2),"ratio",round(c/a,3), "ns/decision of feats", 1e3/c-1e3/a)
